import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { defaultLimits } from "./limits.js";

test("the manifest's schema documents the defaults that the runtime has", async () => {
  const file = new URL("../../../../schemas/manifest.schema.json", import.meta.url);
  const schema = JSON.parse(await readFile(file, "utf8")) as {
    $defs: { limits: { properties: Record<string, { default?: number; description: string }> } };
  };
  const documented = Object.entries(schema.$defs.limits.properties).filter(
    ([name]) => name in defaultLimits,
  );
  assert.ok(documented.length >= 7, "the limits that a manifest can set");
  for (const [name, property] of documented) {
    assert.is(property.default, defaultLimits[name as keyof typeof defaultLimits], name);
  }
});

test.run();
