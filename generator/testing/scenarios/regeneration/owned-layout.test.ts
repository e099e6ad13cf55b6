import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { check } from "prettier";
import { exampleNames } from "../../harness/projects/example-names.js";
import { packageRoot } from "../../../text/package-root.js";
import { emit } from "../../../5-emit/emit.js";
import type { JsonObject } from "../../../model/json.js";
import { checkedManifest } from "../../harness/projects/checked-manifest.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

const options = { parser: "typescript", printWidth: 100 };

/** The TypeScript files that a person will own must be what prettier makes of them. */
async function assertOwnedLayout(manifest: string, what: string): Promise<void> {
  const files = await emit(checkedManifest(manifest).model);
  const owned = files.filter(({ owner, path }) => owner !== "generated" && path.endsWith(".ts"));
  assert.ok(owned.length > 0, what);
  for (const { path, content } of owned) {
    assert.ok(await check(content, options), `${what}: ${path}\n${content}`);
  }
}

const examples = new URL("examples/", packageRoot);
for (const name of exampleNames()) {
  test(`the files of ${name} that people own are formatted as by prettier`, () =>
    assertOwnedLayout(readFileSync(new URL(`${name}/mcp.yaml`, examples), "utf8"), name));
}

/** An item of each kind, each with all that a person writes for it. */
function manifestOf(name: string, text: string): JsonObject {
  const requestedSchema = {
    type: "object",
    properties: { [`${name}_sure`]: { type: "string", enum: [text] } },
    required: [`${name}_sure`],
  };
  return {
    name: "demo",
    version: "1.0.0",
    transports: [{ type: "stdio" }, { type: "custom", name }],
    tools: [
      {
        name,
        description: text,
        inputSchema: {
          type: "object",
          properties: { [text]: { type: "array", items: { type: "object" } } },
        },
        examples: [
          {
            arguments: {
              [text]: [
                { a: text, b: 1 },
                { a: "", b: 1e21 },
              ],
            },
            text,
          },
        ],
        elicitations: { sure: { message: text, requestedSchema } },
      },
    ],
    resources: [{ uri: `x://${name}`, name: `${name}_resource`, description: text }],
    resourceTemplates: [
      {
        uriTemplate: `y://{${name}}{/path*}`,
        name: `${name}_template`,
        description: text,
        list: "code",
        complete: { [name]: "code" },
      },
    ],
    prompts: [
      {
        name: `${name}_prompt`,
        description: text,
        arguments: [
          { name, complete: "code" },
          { name: `${name}_tone`, complete: [text] },
        ],
      },
    ],
  };
}

const TEXTS = [
  "short",
  'say "so"',
  "it's",
  "größer",
  "一个很长的名字".repeat(6),
  "word ".repeat(30),
];
for (const length of shortOrLong([3, 60], [3, 20, 40, 60])) {
  test(`the files that people own are formatted as by prettier if item names have ${length} letters`, async () => {
    for (const text of TEXTS) {
      const manifest = JSON.stringify(manifestOf("n".repeat(length), text.trim()));
      await assertOwnedLayout(manifest, text);
    }
  });
}

test.run();
