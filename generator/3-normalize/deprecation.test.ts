import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Manifest } from "../model/manifest.js";
import { normalize } from "./normalize.js";

const deprecated = { since: "1.1.0", use: "find", until: "2.0.0" };
const said = "Deprecated since 1.1.0. Use find instead. Version 2.0.0 will not have it.";

test("deprecated items are listed last, and their descriptions say so", () => {
  const manifest: Manifest = {
    name: "demo",
    version: "1.1.0",
    transports: [{ type: "stdio" }],
    tools: [
      { name: "look_up", description: "Looks it up.", deprecated },
      { name: "find", description: "Finds it." },
    ],
    resources: [
      { name: "old", uri: "a:old", text: "x", deprecated: { until: "2.0.0" } },
      { name: "find", uri: "a:find", text: "x" },
    ],
    resourceTemplates: [
      { name: "older", uriTemplate: "b:{x}", description: "Reads it.", deprecated },
      { name: "find", uriTemplate: "c:{x}", description: "Reads it." },
    ],
    prompts: [
      {
        name: "plan",
        messages: [{ role: "user", content: { type: "text", text: "x" } }],
        deprecated,
      },
    ],
  };
  const { tools, resources, resourceTemplates, prompts } = normalize(manifest);
  const described = (items: readonly { readonly wire: object }[]): unknown[] =>
    items.map(({ wire }) => {
      const { name, description } = wire as { name: string; description?: string };
      return [name, description];
    });
  assert.equal(described(tools), [
    ["find", "Finds it."],
    ["look_up", `Looks it up. ${said}`],
  ]);
  assert.equal(described(resources), [
    ["find", undefined],
    ["old", "Deprecated. Version 2.0.0 will not have it."],
  ]);
  assert.equal(described(resourceTemplates)[1], ["older", `Reads it. ${said}`]);
  assert.equal(described(prompts), [["plan", said]]);
  assert.equal(tools[1]?.deprecated, deprecated);
});

test.run();
