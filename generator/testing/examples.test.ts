import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "./generated-project.js";

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));

for (const name of readdirSync(examples)) {
  test(`examples/${name} is what its manifest gives`, async () => {
    const { status, out, err } = await mcpwright(`${examples}${name}`, "check");
    assert.is(status, 0, `${out}${err}\nnpm run examples regenerates them`);
  });
}

test.run();
