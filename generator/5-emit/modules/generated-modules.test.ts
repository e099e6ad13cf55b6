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

test("the initial scopes of clients stand in the server's resource", async () => {
  const auth = {
    ...{ resource: "https://demo.example/mcp", jwt: [{ issuer: "https://idp.example" }] },
    initialScopes: ["read"],
  };
  const modules = await modulesOf({ transports: [{ type: "http" }], tools: three, auth });
  assert.match(modules.get("src/generated/server.ts") ?? "", 'initialScopes: ["read"]');
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

/** A tool whose input has these shared schemas. */
function toolWith(name: string, schemas: readonly string[], dialect: object = {}): ManifestTool {
  const properties = Object.fromEntries(
    schemas.map((schema) => [schema.toLowerCase(), { $ref: `#/schemas/${schema}` }]),
  );
  return tool(name, withInput({ type: "object", ...dialect, properties }));
}

test("a shared schema is written in one module, whose constants stand in the tools that list it", async () => {
  const schemas = {
    Place: { type: "object", properties: { kind: { $ref: "#/schemas/kind-of-place" } } },
    Number: { type: "integer" },
    "kind-of-place": { enum: ["city", "village"] },
    Unused: { type: "string" },
  };
  const modules = await modulesOf({
    schemas,
    tools: [toolWith("first", ["Place"]), toolWith("second", ["Place", "Number"])],
  });
  const definitions = modules.get("src/generated/schema-definitions.ts") ?? "";
  assert.equal(definitions.match(/^export const \w+: JsonObject/gm), [
    "export const NumberSchema: JsonObject",
    "export const Place: JsonObject",
    "export const KindOfPlace: JsonObject",
  ]);
  assert.match(
    definitions,
    'KindOfPlace: JsonObject = { type: "string", enum: ["city", "village"] }',
  );
  const first = modules.get("src/generated/tools/first.ts") ?? "";
  assert.match(first, 'import * as definitions from "../schema-definitions.ts";');
  const embedded = 'Place: definitions.Place, "kind-of-place": definitions.KindOfPlace';
  assert.match(first.replace(/\s+/g, " "), embedded);
  assert.match(modules.get("src/generated/tools/second.ts") ?? "", "definitions.NumberSchema");
});

test("a tool that lists the schemas of another changes no module of that tool", async () => {
  const schemas = { Place: { type: "string" } } as const;
  const one = toolWith("first", ["Place"]);
  const before = await modulesOf({ schemas, tools: [one] });
  const after = await modulesOf({ schemas, tools: [one, toolWith("second", ["Place"])] });
  assert.equal(
    differing(before, after),
    ["index", "server", "tools/second"].map((name) => `src/generated/${name}.ts`),
  );
});

test("without schemas that tools list, there is no module of definitions", async () => {
  const schemas = { Place: { type: "string" } } as const;
  const modules = await modulesOf({ schemas, tools: three });
  assert.not.ok(modules.has("src/generated/schema-definitions.ts"));
});

test("a tool of another dialect, or with definitions of its own, has copies of shared schemas", async () => {
  const schemas = { Place: { properties: { near: { $ref: "#/schemas/Place" } } } };
  const draft = { $schema: "http://json-schema.org/draft-07/schema#" };
  const own = { $defs: { Place: { type: "string" } } };
  const modules = await modulesOf({
    schemas,
    tools: [
      toolWith("older", ["Place"], draft),
      toolWith("first", ["Place"]),
      toolWith("own", ["Place"], own),
    ],
  });
  const textOf = (name: string): string => modules.get(`src/generated/${name}.ts`) ?? "";
  assert.match(textOf("schema-definitions"), '"#/$defs/Place"');
  assert.match(textOf("tools/older"), '"#/definitions/Place"');
  assert.match(textOf("tools/own"), '"#/$defs/Place_2"');
  for (const name of ["older", "own"]) assert.not.match(textOf(`tools/${name}`), "definitions.");
  const alone = await modulesOf({ schemas, tools: [toolWith("older", ["Place"], draft)] });
  assert.is(alone.get("src/generated/tools/older.ts"), textOf("tools/older"));
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
