import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../../3-normalize/normalize.js";
import type { JsonSchema } from "../../model/json.js";
import type { Manifest, ManifestTool } from "../../model/manifest.js";
import { createTypeScriptPrinter } from "../typescript-printer.js";
import { generatedModules } from "./generated-modules.js";

function tool(name: string, parts: Partial<ManifestTool> = {}): ManifestTool {
  return { name, description: `Does ${name}.`, ...parts };
}

function withInput(inputSchema: JsonSchema): Partial<ManifestTool> {
  return { inputSchema } as Partial<ManifestTool>;
}

async function modulesOf(manifest: Partial<Manifest>): Promise<ReadonlyMap<string, string>> {
  const model = normalize({ name: "demo", version: "1.0.0", ...manifest });
  const files = await generatedModules(model, createTypeScriptPrinter());
  return new Map(files.map(({ path, content }) => [path, content]));
}

/** The paths of the modules that are not the same, or not there, in the other project. */
function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
}

const three = [tool("first"), tool("second"), tool("third")];

test("a change of one tool changes only the module of this tool", async () => {
  const properties = { days: { type: "integer", default: 3 }, place: { $ref: "#/$defs/place" } };
  const changed = tool("second", {
    ...withInput({ type: "object", properties, $defs: { place: { type: "string" } } }),
    title: "Other",
  });
  const before = await modulesOf({
    tools: [three[0]!, tool("second", withInput({ type: "object", properties })), three[2]!],
  });
  const after = await modulesOf({ tools: [three[0]!, changed, three[2]!] });
  assert.equal(differing(before, after), ["src/generated/tools/second.ts"]);
});

test("adding a tool adds one module, and lines in the list and in the types", async () => {
  const before = await modulesOf({ tools: [three[0]!, three[2]!] });
  const after = await modulesOf({ tools: three });
  const expected = ["index", "server", "tools/second"];
  assert.equal(
    differing(before, after),
    expected.map((name) => `src/generated/${name}.ts`),
  );
  for (const path of ["src/generated/server.ts", "src/generated/index.ts"]) {
    const lines = new Set(after.get(path)?.split("\n"));
    const gone = before
      .get(path)
      ?.split("\n")
      .filter((line) => !lines.has(line));
    assert.equal(gone, [], path);
  }
});

test("the list of tools has the manifest's order and one tool on each line", async () => {
  const list = (await modulesOf({ tools: [...three].reverse() })).get("src/generated/server.ts");
  assert.match(list ?? "", "  tools: [\n    third,\n    second,\n    first,\n  ],\n");
});

test("the module of an item named index gets another name than the list of its kind", async () => {
  const modules = await modulesOf({
    tools: [tool("index"), tool("con")],
    prompts: [{ name: "index", description: "Asks." }],
  });
  const server = modules.get("src/generated/server.ts") ?? "";
  assert.match(server, 'import index from "./tools/index_.ts";');
  assert.match(server, 'import indexPrompt from "./prompts/index_.ts";');
  assert.match(modules.get("src/generated/tools/index_.ts") ?? "", "../../tools/index.ts");
  assert.match(modules.get("src/generated/prompts/index_.ts") ?? "", "../../prompts/index.ts");
  assert.ok(modules.has("src/generated/tools/con-item.ts"));
});

test("if types of several items have the same name, the first one is exported", async () => {
  const page = withInput({ type: "object", properties: { page: { $ref: "#/schemas/Page" } } });
  const modules = await modulesOf({
    schemas: { Page: { type: "object", properties: { size: { type: "integer", default: 10 } } } },
    tools: [tool("first", page), tool("second", page)],
  });
  for (const name of ["first", "second"]) {
    const module = modules.get(`src/generated/tools/${name}.ts`) ?? "";
    assert.match(module, "export interface PageWithDefaults {");
    assert.not.match(module, "schemas.ts");
  }
  const types = modules.get("src/generated/index.ts") ?? "";
  assert.match(types, 'export type * from "./tools/first.ts";');
  assert.match(types, 'export type { SecondInput } from "./tools/second.ts";');
  assert.match(types, 'export type * from "./schemas.ts";');
});

test("the module of a tool with a fixed answer mentions neither a handler nor a context", async () => {
  const module = (
    await modulesOf({
      tools: [tool("notice", { content: [{ type: "text", text: "Closed." }] })],
    })
  ).get("src/generated/tools/notice.ts");
  assert.match(module ?? "", "const tool: ToolEntry = defineTool({");
  assert.not.match(module ?? "", /handler|Context/);
});

test("a shared schema may have the name of a type of the runtime", async () => {
  const schemas = { Logger: { type: "string" }, Place: { type: "string" } } as const;
  const index = (await modulesOf({ schemas, tools: three })).get("src/generated/index.ts") ?? "";
  assert.match(index, 'export * from "@mcpwright/runtime";');
  assert.match(index, 'export type * from "./schemas.ts";');
  assert.match(index, 'export type { Logger } from "./schemas.ts";');
});

test.run();
