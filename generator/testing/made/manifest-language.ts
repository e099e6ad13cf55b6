import { readFile } from "node:fs/promises";
import { packageRoot } from "../../text/package-root.js";
import { code, prose } from "../../5-emit/project/markdown.js";
import {
  fieldRows,
  localDefinitions,
  type FieldRow,
} from "../../5-emit/project/schema-in-words.js";
import { emitTypes } from "../harness/oracles/types-in-one-module.js";
import { declarationOf } from "../../5-emit/types/type-declaration.js";
import { createTypeScriptPrinter } from "../../5-emit/typescript-printer.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { withoutTwins } from "../../text/enumeration.js";
import { resolveReference } from "../../schema/schema-reference.js";

/** What is made from `schemas/manifest.schema.json`, by path from the root of the package. */
export async function manifestLanguageFiles(): Promise<{ path: string; content: string }[]> {
  const url = new URL("schemas/manifest.schema.json", packageRoot);
  const schema = JSON.parse(await readFile(url, "utf8"), namedValues) as JsonObject;
  return [
    { path: "generator/model/manifest.ts", content: await manifestTypes(schema) },
    { path: "schemas/REFERENCE.md", content: manifestReference(schema) },
  ];
}

/** Names each value of an enumeration once: those in small letters are for editors, and become the others. */
function namedValues(key: string, value: JsonValue): JsonValue {
  return key === "enum" && Array.isArray(value) ? withoutTwins(value) : value;
}

async function manifestTypes(schema: JsonObject): Promise<string> {
  const printer = createTypeScriptPrinter();
  const types = emitTypes(
    [{ typeName: "Manifest", schema: asCanonical(schema), mode: "value" }],
    [],
  );
  const header =
    "// Made from schemas/manifest.schema.json by `npm run manifest-language`. Do not edit.";
  return printer.print(types.map(declarationOf), header);
}

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

function manifestReference(schema: JsonObject): string {
  const sections = [["Top level", schema] as const, ...localDefinitions(schema)]
    .map(([name, definition]) => [name, withPlainFields(definition, schema)] as const)
    .filter(([, definition]) => isJsonObject(definition) && "properties" in definition)
    .map(([name, definition]) => section(name, definition));
  const introduction =
    "# The manifest, field by field\n\n" +
    "Made from [manifest.schema.json](manifest.schema.json) by `npm run manifest-language`. " +
    "A type in this page that is no JSON type is a section of its own, or a short rule that the schema holds.";
  return `${[introduction, ...sections].join("\n\n")}\n`;
}

/** Fields that refer to a definition without its own fields show its content. All show its description. */
function withPlainFields(definition: JsonSchema, root: JsonObject): JsonSchema {
  if (!isJsonObject(definition) || !isJsonObject(definition["properties"])) return definition;
  const properties = Object.entries(definition["properties"])
    .map(([name, field]) => {
      const reference = isJsonObject(field) ? field["$ref"] : undefined;
      if (!isJsonObject(field) || typeof reference !== "string") return [name, field] as const;
      const target = resolveReference(root, reference, () => undefined)?.schema;
      if (!isJsonObject(target)) return [name, field] as const;
      const { $ref: _reference, ...rest } = field;
      const { description } = { ...target, ...rest };
      const shown =
        "properties" in target
          ? { ...field, ...(description !== undefined && { description }) }
          : { ...target, ...rest };
      return [name, shown] as const;
    })
    .map(([name, field]) => [name, withKeyRule(field)] as const);
  return { ...definition, properties: Object.fromEntries(properties) as JsonObject };
}

/** The rule for the keys under a field is at the end of its description. */
function withKeyRule(field: JsonValue): JsonValue {
  const names = isJsonObject(field) ? field["propertyNames"] : undefined;
  const rule = isJsonObject(names) ? names["patternErrorMessage"] : undefined;
  if (!isJsonObject(field) || typeof rule !== "string") return field;
  const sentence = `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`;
  return { ...field, description: `${String(field["description"] ?? "")} ${sentence}`.trim() };
}

function section(name: string, definition: JsonSchema): string {
  const description = isJsonObject(definition) ? definition["description"] : undefined;
  const rows = [
    ...fieldRows(definition).filter((row) => !/[.[]/.test(row.name)),
    ...patternRows(definition),
  ];
  const text = typeof description === "string" ? [description] : [];
  const heading = name === "Top level" ? name : code(name);
  return [`## ${heading}`, ...text, table(rows)].join("\n\n");
}

/** Keys that follow a pattern, such as the codes under `diagnostics`; keys with `x-` may stand anywhere. */
function patternRows(definition: JsonSchema): FieldRow[] {
  const patterns = isJsonObject(definition) ? definition["patternProperties"] : undefined;
  if (!isJsonObject(patterns)) return [];
  const { "^x-": _extensions, ...properties } = patterns;
  return fieldRows({ type: "object", properties }).map((row) => ({
    ...row,
    name: row.name.replace(/^\^|\$$/g, ""),
  }));
}

/** Unlike those of generated projects, these descriptions are ours: their Markdown stays. */
function table(rows: readonly FieldRow[]): string {
  const lines = rows.map(({ name, type, required, default: value, description }) => {
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
