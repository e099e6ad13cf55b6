import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../text/package-root.js";
import { RUNTIME_NAMES } from "./runtime-names.js";

test("the table of type names equals the types that the runtime's main entry exports", async () => {
  const entry = await readFile(new URL("templates/runtime/index.ts", packageRoot), "utf8");
  const exported = [...entry.matchAll(/\{([^}]*)\}/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.replace(/^\s*(?:type )?|\s+$/g, "")),
  );
  const types = exported.filter((name) => /^[A-Z]/.test(name));
  assert.equal([...RUNTIME_NAMES].sort(), types.sort());
});

test.run();
