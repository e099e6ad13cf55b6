import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonValue } from "../../model/json.js";
import { DIALECT_URIS, type Dialect } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import {
  dialectBelowRoot,
  keywordOfOtherDialect,
  refusedKeyword,
  unknownDialect,
  unknownKeyword,
} from "../../model/catalogue/schema.js";
import { COMMA_ADVICE, followsComma } from "../source-text.js";
import { quoted } from "../../text/value-words.js";
import { checkKeywordValue } from "./check-keyword-values.js";
import { adviceForProperty, emptyProperties, outdentedProperties } from "./misplaced-properties.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";
import { isSureName } from "../../text/nearest-name.js";
import { isJsonObject } from "../../model/json.js";

/** Keys that have a meaning elsewhere, with the reason why they are refused here. */
const REFUSED = new Map([
  ["$id", 'a schema is known by its place in the manifest; shared ones stand under "schemas"'],
  ["id", "a schema is known by its place in the manifest; it is draft-04's $id"],
  ["$vocabulary", "it belongs into the definitions of dialects"],
  ["$recursiveRef", 'it is 2019-09\'s; use $dynamicRef, or $ref: "#"'],
  ["$recursiveAnchor", "it is 2019-09's; use $dynamicAnchor"],
  ["$async", "only one validator knows it"],
  ["$data", "only one validator knows it; a rule cannot depend on another value"],
  ["example", "it is OpenAPI's; use examples, with a list of values"],
  ["discriminator", "it is OpenAPI's; give each alternative a property with a const"],
]);

/** What JSON Schema has instead of OpenAPI's `nullable`. */
function adviceForNullable({ schema }: SchemaNode): string {
  const { $ref } = schema;
  return typeof $ref === "string"
    ? `it is OpenAPI's; use anyOf: [{$ref: "${$ref}"}, {type: "null"}]`
    : 'it is OpenAPI\'s; use a list of types: type: [string, "null"]';
}

const KEYWORD_NAMES = [...KEYWORDS.keys()];

const LIST_OF_ITEMS_ADVICE =
  "for items that are all alike, write the schema without the list around it; for others, use prefixItems";

/** Keys of earlier drafts, with advice on what JSON Schema has instead. */
const FOREIGN_KEYS: ReadonlyMap<string, string> = new Map([
  // draft-02
  ["optional", 'what "required" beside "properties" does not name is optional'],
]);

/** Checks that every key is a keyword of the schema's dialect, and has a value of the keyword's shape. */
export function* checkKeywords(node: SchemaNode, document: SchemaDocument): Generator<Diagnostic> {
  const outdented = outdentedProperties(node.schema);
  if (outdented.length > 0) {
    const place = placeOf(document, [...node.path, "properties"], "key");
    yield emptyProperties(outdented, place);
  }
  for (const [name, value] of Object.entries(node.schema)) {
    if (name.startsWith("x-") || outdented.includes(name)) continue;
    if (name === "properties" && outdented.length > 0) continue;
    const problem = keywordProblem(name, value, node, document);
    if (problem !== undefined) yield problem;
    else yield* checkKeywordValue(name, value, node, document);
  }
}

function keywordProblem(
  name: string,
  value: JsonValue,
  node: SchemaNode,
  document: SchemaDocument,
): Diagnostic | undefined {
  const keyword = KEYWORDS.get(name);
  const place = () => placeOf(document, [...node.path, name], "key");
  if (keyword === undefined) {
    const reason = name === "nullable" ? adviceForNullable(node) : REFUSED.get(name);
    if (reason !== undefined) return refusedKeyword(place(), { keyword: name, reason });
    const keyword = quoted(name);
    if (value === null && followsComma(document.run.manifest, place())) {
      return unknownKeyword(place(), { keyword, advice: COMMA_ADVICE });
    }
    const foreignAdvice = FOREIGN_KEYS.get(name);
    if (foreignAdvice !== undefined) {
      return unknownKeyword(place(), { keyword, advice: foreignAdvice });
    }
    const nearest = boundOf(name, node) ?? document.run.nearest(name, KEYWORD_NAMES);
    const advice = nearest === undefined ? adviceForProperty(value, node) : undefined;
    const isSure = nearest !== undefined && isSureKeyword(name, nearest, node);
    return unknownKeyword(place(), {
      keyword,
      ...(nearest !== undefined && { nearest }),
      ...(isSure && { mend: { edit: "rename key", to: nearest } }),
      ...(advice !== undefined && { advice }),
    });
  }
  if (name === "$schema") return dialectProblem(value, node, document);
  const { dialect } = document;
  if (!keyword.dialects.includes(dialect)) {
    return otherDialect(`"${name}"`, keyword.instead, place(), dialect);
  }
  const isTuple = name === "items" && Array.isArray(value) && dialect === "2020-12";
  return isTuple
    ? otherDialect('a list under "items"', LIST_OF_ITEMS_ADVICE, place(), dialect)
    : undefined;
}

/** True if an unknown keyword can mean only one keyword, and is not the name of a property. */
function isSureKeyword(name: string, nearest: string, { schema }: SchemaNode): boolean {
  if (boundOf(name, { schema } as SchemaNode) !== undefined) return Object.hasOwn(schema, "type");
  return !isJsonObject(schema[name]) && isSureName(name, nearest, KEYWORD_NAMES);
}

/** The keyword for `min` or `max`, as Zod has them (`z.string().min(1)`). JSON Schema has another one for each type. */
function boundOf(name: string, { schema }: SchemaNode): string | undefined {
  if (name !== "min" && name !== "max") return undefined;
  const suffixes: Readonly<Record<string, string>> = { string: "Length", array: "Items" };
  return `${name}${suffixes[String(schema["type"])] ?? "imum"}`;
}

function otherDialect(
  keyword: string,
  instead: string | undefined,
  place: ReturnType<typeof placeOf>,
  dialect: Dialect,
): Diagnostic {
  const other = dialect === "2020-12" ? "draft-07" : "2020-12";
  const declare = `set $schema: ${DIALECT_URIS[other]} at the root`;
  return keywordOfOtherDialect(place, {
    keyword,
    dialect,
    other: `of ${other}`,
    instead: instead === undefined ? declare : `${instead}, or ${declare}`,
  });
}

/** Checks that `$schema` is at the root and names a supported dialect. Another check reports values that are no text. */
function dialectProblem(
  value: JsonValue,
  { path }: SchemaNode,
  document: SchemaDocument,
): Diagnostic | undefined {
  if (path.length > 0) return dialectBelowRoot(placeOf(document, [...path, "$schema"], "key"), {});
  const isKnown =
    value === `${DIALECT_URIS[document.dialect]}#` || value === DIALECT_URIS[document.dialect];
  if (isKnown || typeof value !== "string") return undefined;
  const nearest = value.includes("draft-07")
    ? `${DIALECT_URIS["draft-07"]}#`
    : DIALECT_URIS["2020-12"];
  return unknownDialect(placeOf(document, ["$schema"], "value"), { found: quoted(value), nearest });
}
