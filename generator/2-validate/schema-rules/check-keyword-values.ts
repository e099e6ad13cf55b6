import type { Diagnostic } from "../../model/diagnostic.js";
import type { Mend } from "../../model/mend.js";
import { isSureName } from "../../text/nearest-name.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { isJsonSchema, TYPE_NAMES, type SchemaPath } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { type KeywordShape } from "../../schema/keywords/definition.js";
import {
  notASchema,
  refusedKeyword,
  unknownTypeName,
  wrongKeywordValue,
} from "../../model/catalogue/schema.js";
import { indentedKeyword, repeatedValue } from "../../model/catalogue/schema-meaning.js";
import { describeValue, quoted } from "../../text/value-words.js";
import { repeatedIndexes } from "../../schema/values.js";
import { adviceForComment } from "../source-text.js";
import { namedSchemas, namesWithoutSchema, outdentedKeywords } from "./outdented-keywords.js";
import { isIndentedKeyword } from "./misplaced-properties.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** The words for each shape of value, and its check. `ValueCheck` checks what is inside the value. */
const SHAPES: Readonly<Record<KeywordShape, [string, (value: JsonValue) => boolean]>> = {
  schema: ["a schema", () => true],
  "schema list": ["a list of schemas, at least one", isFilledList],
  "schema map": ["a mapping of names to schemas", isJsonObject],
  "schema or schema list": ["a schema or a list of schemas", () => true],
  "dependency map": ["a mapping of names to schemas or lists of names", isJsonObject],
  any: ["any value", () => true],
  list: ["a list", Array.isArray],
  string: ["a text", (value) => typeof value === "string"],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  number: ["a number", Number.isFinite],
  "positive number": ["a number above 0", (value) => Number.isFinite(value) && Number(value) > 0],
  count: [
    "a whole number, 0 or more",
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  ],
  "name list": ["a list of property names", isTextList],
  "name list map": ["a mapping of names to lists of property names", isJsonObject],
  type: ["a type or a list of types", (value) => isFilledList(value) || typeof value === "string"],
};

function isFilledList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isTextList(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Checks that a known keyword's value has the keyword's shape. It does not check what is inside of schemas. */
export function* checkKeywordValue(
  name: string,
  value: JsonValue,
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const shape = KEYWORDS.get(name)?.shape ?? "any";
  const check = new ValueCheck(name, schema, document);
  const [expected, fits] = SHAPES[shape];
  if (fits(value)) yield* check.inside(shape, value, [...path, name]);
  else yield check.wrongValue(expected, value, [...path, name]);
}

class ValueCheck {
  readonly #name: string;
  /** The schema that has the keyword. */
  readonly #schemaAround: JsonObject;
  readonly #document: SchemaDocument;

  constructor(name: string, schemaAround: JsonObject, document: SchemaDocument) {
    this.#name = name;
    this.#schemaAround = schemaAround;
    this.#document = document;
  }

  *inside(shape: KeywordShape, value: JsonValue, path: SchemaPath): Generator<Diagnostic> {
    if (shape === "type") yield* this.#types(value, path);
    else if (shape === "name list") yield* this.#repeated(value, path);
    else if (shape === "schema") yield* this.#schema(value, path);
    else if (shape.startsWith("schema")) yield* this.#schemas(value, path);
    else if (shape.endsWith("map")) yield* this.#dependencies(shape, value, path);
  }

  *#schemas(value: JsonValue, path: SchemaPath): Generator<Diagnostic> {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield* this.#schema(item, [...path, index]);
    } else if (KEYWORDS.get(this.#name)?.shape === "schema map" && isJsonObject(value)) {
      yield* this.#schemaMap(value, path);
    } else yield* this.#schema(value, path);
  }

  *#schemaMap(map: JsonObject, path: SchemaPath): Generator<Diagnostic> {
    const outdented = outdentedKeywords(map);
    yield* namesWithoutSchema(outdented, (key) => placeOf(this.#document, [...path, key], "key"));
    for (const [key, item] of namedSchemas(map, outdented)) {
      const isMisplaced =
        this.#name === "properties" && isIndentedKeyword(key, item, this.#schemaAround);
      if (isMisplaced) yield this.#indentedKeyword(key, item, [...path, key]);
      else yield* this.#schema(item, [...path, key]);
    }
  }

  #indentedKeyword(keyword: string, value: JsonValue, path: SchemaPath): Diagnostic {
    if (typeof value === "boolean") {
      return indentedKeyword(placeOf(this.#document, path, "key"), { keyword });
    }
    return notASchema(placeOf(this.#document, path, "value"), {
      found: describeValue(value),
      advice: `${quoted(keyword)} is a keyword: outdent it to stand beside "properties"`,
    });
  }

  *#schema(value: JsonValue, path: SchemaPath): Generator<Diagnostic> {
    if (isJsonSchema(value)) return;
    const { nearest } = this.#document.run;
    const typeName = typeof value === "string" ? nearest(value, TYPE_NAMES) : undefined;
    const meant = isClosed(path, value) ? CLOSED : schemaOfType(value, typeName);
    const found = describeValue(value);
    yield notASchema(placeOf(this.#document, path, "value"), { found, ...meant });
  }

  /** Checks `dependencies` and `dependentRequired`: lists of names. The former also accepts schemas. */
  *#dependencies(shape: KeywordShape, map: JsonValue, path: SchemaPath): Generator<Diagnostic> {
    const takesSchemas = shape === "dependency map";
    const expected = takesSchemas
      ? "a schema or a list of property names"
      : "a list of property names";
    for (const [key, value] of Object.entries(map ?? {})) {
      if (isTextList(value)) yield* this.#repeated(value, [...path, key]);
      else if (!takesSchemas || !isJsonSchema(value))
        yield this.wrongValue(expected, value, [...path, key]);
    }
  }

  *#types(value: JsonValue, path: SchemaPath): Generator<Diagnostic> {
    if (!Array.isArray(value)) return yield* this.#type(value, path);
    for (const [index, item] of value.entries()) yield* this.#type(item, [...path, index]);
    yield* this.#repeated(value, path);
  }

  *#type(value: JsonValue, path: SchemaPath): Generator<Diagnostic> {
    if (typeof value !== "string") yield this.wrongValue("a type", value, path);
    else if (!(TYPE_NAMES as readonly string[]).includes(value)) {
      const advice = adviceForType(value);
      const nearest =
        advice === undefined ? this.#document.run.nearest(value, TYPE_NAMES) : undefined;
      yield unknownTypeName(placeOf(this.#document, path, "value"), {
        found: quoted(value),
        ...(nearest && { nearest }),
        ...(isSureType(value, nearest) && { mend: { edit: "set text", to: nearest } }),
        ...(advice && { advice }),
      });
    }
  }

  *#repeated(list: JsonValue, path: SchemaPath): Generator<Diagnostic> {
    if (!Array.isArray(list)) return;
    for (const index of repeatedIndexes(list)) {
      yield repeatedValue(placeOf(this.#document, [...path, index], "value"), {
        keyword: this.#name,
        value: describeValue(list[index] ?? null),
      });
    }
  }

  wrongValue(expected: string, value: JsonValue, path: SchemaPath): Diagnostic {
    if (isJsonObject(value) && Object.hasOwn(value, "$data")) {
      return refusedKeyword(placeOf(this.#document, [...path, "$data"], "key"), {
        keyword: "$data",
        reason: "a rule cannot depend on another value",
      });
    }
    const place = placeOf(this.#document, path, "value");
    const emptied =
      value === null ? adviceForComment(this.#document.run.manifest, place) : undefined;
    const advice = emptied ?? adviceFor(this.#name, value, path);
    const mend = mendOf(this.#name, value);
    return wrongKeywordValue(place, {
      keyword: this.#name,
      expected,
      found: Array.isArray(value) && value.length === 0 ? "an empty list" : describeValue(value),
      ...(advice && { advice }),
      ...(mend && { mend }),
    });
  }
}

/** What to write for a word that YAML 1.1 reads as false. */
const CLOSED = {
  advice: "write false, without quotes",
  mend: { edit: "unquote", to: false },
} as const satisfies { advice: string; mend: Mend };

/** Whether an object is closed by such a word. A trial of coding agents wrote `additionalProperties: no`. */
function isClosed(path: SchemaPath, value: JsonValue): boolean {
  const [keyword, place] = [path.at(-1), path.at(-2)];
  const closes = keyword === "additionalProperties" || keyword === "unevaluatedProperties";
  const isWord = typeof value === "string" && /^(?:no|off|false)$/i.test(value);
  return closes && isWord && place !== "properties";
}

/** The schema that the name of a type stands for, as parameters of a diagnostic. Empty without such a name. */
export function schemaOfType(
  value: JsonValue,
  typeName: string | undefined,
): { advice?: string; mend?: Mend } {
  if (typeName === undefined) return {};
  const advice = `write {type: ${typeName}}`;
  if (!isSureType(value, typeName)) return { advice };
  return { advice, mend: { edit: "put into mapping", key: "type", value: typeName } };
}

/** Names that Python and C have for a type, and no other meaning. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  "bool",
  "dict",
  "float",
  "double",
  "int",
  "list",
  "str",
]);

function isSureType(value: JsonValue, typeName: string | undefined): typeName is string {
  if (typeof value !== "string" || typeName === undefined) return false;
  return OTHER_NAMES.has(value.toLowerCase()) || isSureName(value, typeName, TYPE_NAMES);
}

/** The edit of a keyword's value that has the wrong type but says the right one. */
function mendOf(name: string, value: JsonValue): Mend | undefined {
  const shape = KEYWORDS.get(name)?.shape;
  if (shape === "type" && value === null) return { edit: "set value", to: "null" };
  if (shape === "string" && (typeof value === "number" || typeof value === "boolean"))
    return { edit: "quote" };
  if (takesList(name) && isScalarValue(value)) return { edit: "put into list" };
  if (typeof value !== "string") return undefined;
  if (shape === "boolean" && /^(?:true|false)$/i.test(value))
    return { edit: "unquote", to: value.toLowerCase() === "true" };
  const isNumber = /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?$/.test(value);
  const takesNumber = shape === "number" || shape === "positive number" || shape === "count";
  return takesNumber && isNumber ? { edit: "unquote", to: Number(value) } : undefined;
}

/** True for a keyword whose value is a list of any values, or of names. */
function takesList(keyword: string): boolean {
  const shape = KEYWORDS.get(keyword)?.shape;
  return shape === "list" || shape === "name list";
}

const isScalarValue = (value: JsonValue): boolean =>
  typeof value === "string" || typeof value === "number";

function adviceFor(name: string, value: JsonValue, path: SchemaPath): string | undefined {
  const [map, property, last] = path.slice(-3);
  const isOfProperty = map === "properties" && last === name;
  const isNumberInQuotes = typeof value === "string" && /^-?[0-9]+(\.[0-9]+)?$/.test(value);
  const advice = KEYWORDS.get(name)?.adviceFor?.(
    value,
    isOfProperty ? String(property) : undefined,
  );
  if (advice !== undefined) return advice;
  if (takesList(name) && value !== null && !isJsonObject(value)) return `write [${value}]`;
  return isNumberInQuotes ? `write it without quotes: ${value}` : undefined;
}

/** Advice for what TypeScript and older drafts take for a type, and for formats. */
function adviceForType(name: string): string | undefined {
  // s-stefanov/actual-mcp#26: "string[]"
  if (name.endsWith("[]")) return "write {type: array, items: {…}}";
  // TypeScript's unions: "string | null"
  if (name.includes("|")) return "write a list of types";
  // a type of draft-03
  if (name === "any") return 'leave "type" out: a schema without it takes any value';
  return FORMATS.has(name) ? "write {type: string}, with the format beside it" : undefined;
}

/** Formats that schemas have as types (woocommerce/woocommerce#62764), and types of inputs of HTML and of columns. */
const FORMATS: ReadonlySet<string> = new Set([
  "date",
  "datetime",
  "date-time",
  "email",
  "uuid",
  "url",
]);
