import { format } from "prettier";
import { PART_SECTIONS } from "../../1-load/join-parts.js";
import {
  manifestReference,
  readManifestSchema,
  TOP_LEVEL,
  type ReferenceSection,
} from "../../cli/reference/manifest-reference.js";
import { code, prose } from "../../text/markdown.js";
import { localDefinitions } from "../../5-emit/project/schema-in-words.js";
import { emitTypes } from "../harness/oracles/types-in-one-module.js";
import { declarationOf } from "../../5-emit/types/type-declaration.js";
import { createTypeScriptPrinter } from "../../5-emit/typescript-printer.js";
import { PRESETS } from "../../model/auth-presets.js";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";

/** What is made from `schemas/manifest.schema.json`, by path from the root of the package. */
export async function manifestLanguageFiles(): Promise<{ path: string; content: string }[]> {
  const schema = readManifestSchema();
  return [
    { path: "generator/model/manifest.ts", content: await manifestTypes(schema) },
    { path: "schemas/REFERENCE.md", content: referencePage(manifestReference(schema)) },
    { path: "templates/runtime/mcp-part.schema.json", content: await partSchema() },
  ];
}

/** The schema with which editors check included files. It lies beside that of the manifest in the package of the runtime. */
function partSchema(): Promise<string> {
  const sections = [...PART_SECTIONS.keys()].map((section) => [
    section,
    { $ref: `mcp.schema.json#/properties/${section}` },
  ]);
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "included file",
    description: "Items of an mcpwright manifest, in a file that its `include` names.",
    type: "object",
    properties: Object.fromEntries(sections),
    patternProperties: { "^x-": {} },
    additionalProperties: false,
  };
  return format(JSON.stringify(schema), { parser: "json", printWidth: 100 });
}

async function manifestTypes(schema: JsonObject): Promise<string> {
  const printer = createTypeScriptPrinter();
  const types = emitTypes(
    [{ typeName: "Manifest", schema: asCanonical(schema), mode: "value" }],
    [],
  );
  const header =
    "// Made from schemas/manifest.schema.json by `npm run manifest-language`. Do not edit.\n" +
    "// The schema and its page, schemas/REFERENCE.md, say what each key means.";
  return withoutDocComments(await printer.print(types.map(declarationOf), header));
}

/** Printed declarations without what their comments repeat of the schema. Each comment has lines of its own. */
const withoutDocComments = (text: string): string => text.replaceAll(/^ *\/\*\*.*?\*\/\n/gms, "");

/** Definitions whose values the compiler passes on as they stand. */
const passedOn: ReadonlySet<string> = new Set(
  "annotations contentBlock icon meta person repository toolAnnotations".split(" "),
);

/** The schema of manifests in canonical form: without `x-` extensions, and plain where nothing looks inside. */
function asCanonical(schema: JsonObject): JsonObject {
  const definitions = localDefinitions(schema).map(([name, definition]) => {
    if (name === "jsonSchema")
      return [name, { ...ofTypes(definition), type: ["boolean", "object"] }];
    if (passedOn.has(name)) return [name, { ...ofTypes(definition), type: "object" }];
    return [name, closed(definition)];
  });
  return {
    ...(closed(schema) as JsonObject),
    $defs: Object.fromEntries(definitions) as JsonObject,
  };
}

function ofTypes(definition: JsonSchema): JsonObject {
  const description = isJsonObject(definition) ? definition["description"] : undefined;
  return description === undefined ? {} : { description };
}

/** Without extensions; alternatives that say all need nothing beside them. */
function closed(definition: JsonSchema): JsonSchema {
  if (!isJsonObject(definition)) return definition;
  const { patternProperties: _extensions, ...rest } = definition;
  const { oneOf, description } = rest;
  if (oneOf !== undefined) return { oneOf, ...(description !== undefined && { description }) };
  return "properties" in rest ? { ...rest, additionalProperties: false } : rest;
}

function referencePage(sections: readonly ReferenceSection[]): string {
  const introduction =
    "# The manifest, field by field\n\n" +
    "Made from [manifest.schema.json](manifest.schema.json) by `npm run manifest-language`. " +
    "A type in this page that is no JSON type is a section of its own, or a short rule that the schema holds.";
  return `${[introduction, ...sections.map(sectionText), providers()].join("\n\n")}\n`;
}

/** The providers of `auth.jwt.preset`: how clients come to be known to them. */
function providers(): string {
  const lines = Object.entries(PRESETS).map(
    ([name, { needs, registration, metadataDocuments, byHand }]) =>
      `| ${[code(name), needs.map(code).join(", "), registration, metadataDocuments, byHand].join(" | ")} |`,
  );
  return [
    "## Providers of tokens",
    "What each `preset` of `auth.jwt` needs, and how clients become known to the provider, as it documented that in 2026. Clients that neither " +
      "register themselves nor have a metadata document are registered by hand. Look up what has changed since.",
    [
      "| Preset | Needs | Dynamic registration | Client metadata documents | By hand |",
      "| --- | --- | --- | --- | --- |",
      ...lines,
    ].join("\n"),
  ].join("\n\n");
}

function sectionText({ name, description, fields }: ReferenceSection): string {
  const heading = name === TOP_LEVEL ? name : code(name);
  return [`## ${heading}`, ...(description === "" ? [] : [description]), table(fields)].join(
    "\n\n",
  );
}

/** Unlike those of generated projects, these descriptions are ours: their Markdown stays. */
function table(fields: ReferenceSection["fields"]): string {
  const lines = fields.map(({ name, type, required, default: value, description }) => {
    const cells = [
      code(name),
      prose(type),
      required ? "yes" : "",
      value === undefined ? "" : code(JSON.stringify(value)),
      description.replaceAll("|", "\\|"),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Name | Type | Required | Default | Description |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}
