import { test } from "uvu";
import * as assert from "uvu/assert";
import { compileBytes } from "../cli/compile-manifest.js";
import { normalize } from "../3-normalize/normalize.js";
import type { JsonObject } from "../model/json.js";
import { validManifest } from "../model/loaded-manifest.js";
import type { ListCost } from "../model/list-cost.js";
import { serverDocumentView } from "../5-emit/project/server-document.js";
import { renderTemplate } from "../5-emit/project/templates.js";
import { listCost } from "./list-cost.js";
import { countTokens } from "./tokenizer.js";

const base = { name: "demo", version: "1.0.0" };
const closed = { type: "object", additionalProperties: false };
const tool = (name: string, description: string): JsonObject => ({
  ...{ name, description },
  inputSchema: closed,
});

const costOf = (manifest: JsonObject): Promise<ListCost> =>
  listCost(normalize(validManifest({ ...base, ...manifest })));

test("tokens are counted as the encoding does, and special ones are plain text", () => {
  assert.is(countTokens("hello world"), 2);
  assert.is(countTokens(""), 0);
  assert.ok(countTokens("<|endoftext|><|im_start|>") > 2);
});

test("each item costs what it takes in its list, and all of them the sum", async () => {
  const { tokens, items } = await costOf({
    tools: [tool("a", "Reads the first.")],
    resources: [{ name: "r", uri: "demo://r", text: "not listed, so that it costs nothing" }],
    resourceTemplates: [{ name: "t", uriTemplate: "demo://{id}" }],
    prompts: [{ name: "p", description: "Asks.", messages: [] }],
  });
  assert.equal(
    items.map(({ kind, name }) => `${kind} ${name}`),
    ["tool a", "resource r", "resourceTemplate t", "prompt p"],
  );
  assert.is(items[1]?.tokens, countTokens(`{"uri":"demo://r","name":"r"}`));
  assert.ok((items[0]?.tokens ?? 0) > countTokens("Reads the first."));
  assert.is(
    tokens,
    items.reduce((sum, item) => sum + item.tokens, 0),
  );
});

test("a tool that is only found by search costs nothing in the list, and the three that find it do", async () => {
  const tools = [tool("a", "Reads the first."), tool("b", "Reads the second.")];
  const { items } = await costOf({ tools, exposure: { search: true, list: ["b"] } });
  assert.equal(
    items.map(({ name }) => name),
    ["b", "search_tools", "read_tool", "call_tool"],
  );
});

const withBudget = (budget: number): string =>
  `name: demo
version: 1.0.0
diagnostics: { tokenBudget: ${budget} }
tools:
  - name: a
    description: Reads the first.
    inputSchema: { type: object, additionalProperties: false }
    outputSchema: { type: object, properties: { ${property("one")}, ${property("two")} } }
  - name: b
    description: ${"Reads the second. ".repeat(40)}
    inputSchema: { type: object, additionalProperties: false }
`;
const property = (name: string): string =>
  `${name}: { type: string, description: The ${name} that is asked for in most of the calls of this }`;

const findings = async (text: string): Promise<string[]> => {
  const read = { bytes: Buffer.from(text), diagnostics: [] };
  const { diagnostics } = await compileBytes("mcp.yaml", read, { flags: new Set() });
  return diagnostics
    .filter(({ code }) => code === "MW2322")
    .map(({ line, column, message, hint }) => `${line}:${column} ${message}\n${hint}`);
};

test("lists above the budget are a warning with the costliest items, and with what would make them smaller", async () => {
  const [first = "", ...others] = await findings(withBudget(50));
  assert.equal(others, []);
  assert.match(
    first,
    /^3:29 the lists take \d+ tokens, more than the budget of 50; the costliest: "b" \(\d+\), "a" \(\d+\)\n/,
  );
  assert.match(first, /"b" has \d+ in `description`: say in one or two sentences/);
  assert.match(first, /"a" has \d+ in `outputSchema`: select the members/);
  assert.equal(await findings(withBudget(5_000)), []);
  const off = withBudget(50).replace("tokenBudget: 50", "tokenBudget: 50, MW2322: off");
  assert.equal(await findings(off), []);
});

test("the tools that the server adds are not among the items that should be smaller", async () => {
  const [first = ""] = await findings(`${withBudget(50)}exposure: { search: true, list: [a] }\n`);
  assert.match(first, /the costliest: "a" \(\d+\)\n/);
  const resources = 'resourceTools: true\nresources: [{name: r, uri: "s://r", text: t}]\n';
  const [second = ""] = await findings(`${withBudget(50)}${resources}`);
  assert.match(second, /the costliest: "b" \(\d+\), "a" \(\d+\), "r" \(\d+\)\n/);
});

test("SERVER.md says what the lists take, by item and in all, if there is a budget", async () => {
  const model = normalize(validManifest({ ...base, tools: [tool("a", "Reads the first.")] }));
  const cost = await listCost(model);
  const text = await renderTemplate("SERVER.md", serverDocumentView(model, cost));
  assert.ok(text.includes(`Takes ${cost.tokens} tokens of what models read.`), text);
  assert.ok(text.includes(`The lists take ${cost.tokens} tokens in all.`), text);
  assert.not.ok((await renderTemplate("SERVER.md", serverDocumentView(model))).includes("tokens"));
});

test.run();
