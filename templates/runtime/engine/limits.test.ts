import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { networkLimits } from "../http/network-limits.js";
import { resourceLimits } from "../resources/resource-limits.js";
import { defaultLimits } from "./limits.js";

const allLimits = { ...defaultLimits, ...networkLimits, ...resourceLimits };

test("the manifest's schema documents the defaults that the runtime has", async () => {
  const file = new URL("../../../../schemas/manifest.schema.json", import.meta.url);
  const schema = JSON.parse(await readFile(file, "utf8")) as {
    $defs: { limits: { properties: Record<string, { default?: number; description: string }> } };
  };
  const documented = Object.entries(schema.$defs.limits.properties).filter(
    ([name]) => name in allLimits,
  );
  assert.ok(documented.length >= 7, "the limits that a manifest can set");
  for (const [name, property] of documented) {
    assert.is(property.default, allLimits[name as keyof typeof allLimits], name);
  }
});

test.run();
