import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { meets } from "../../schema/interpret.js";
import type { KeywordDefinition } from "../../schema/keywords/definition.js";
import { isOfType, KEYWORDS } from "../../schema/keywords/index.js";
import { ownValue, TYPE_NAMES } from "../../schema/json-schema.js";
import { statedTypes } from "../../schema/keyword-values.js";
import {
  contradictingBounds,
  emptyEnum,
  enumAgainstType,
  enumValueOfOtherType,
  impossibleConstant,
  repeatedValue,
  requiredNotDescribed,
  undeclaredRequired,
} from "../../model/catalogue/schema-meaning.js";
import { describeValue } from "../../text/value-words.js";
import { REFUSED_NAME } from "./check-refused-names.js";
import { canonicalText, repeatedIndexes } from "../../schema/values.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** Lower bounds with the upper bounds that they must not exceed. `strict` if they must not be equal either. */
const BOUNDS: readonly { lower: string; upper: string; strict?: true }[] = [
  { lower: "minimum", upper: "maximum" },
  { lower: "minimum", upper: "exclusiveMaximum", strict: true },
  { lower: "exclusiveMinimum", upper: "maximum", strict: true },
  { lower: "exclusiveMinimum", upper: "exclusiveMaximum", strict: true },
  { lower: "minLength", upper: "maxLength" },
  { lower: "minItems", upper: "maxItems" },
  { lower: "minContains", upper: "maxContains" },
  { lower: "minProperties", upper: "maxProperties" },
];

/** Reports keywords beside each other that no value, or not every listed value, can fit. */
export function* checkContradictions(
  node: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  yield* checkBounds(node, document);
  yield* checkEnum(node, document);
  yield* checkConstant(node, document);
  yield* checkRequired(node, document);
}

function* checkBounds(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  for (const { lower, upper, strict } of BOUNDS) {
    const [low, high] = [ownValue(schema, lower), ownValue(schema, upper)];
    if (typeof low !== "number" || typeof high !== "number") continue;
    if (low < high || (low === high && strict === undefined)) continue;
    yield contradictingBounds(
      placeOf(document, [...path, upper], "value"),
      { lower: `${lower}: ${low}`, upper: `${upper}: ${high}` },
      [{ ...placeOf(document, [...path, lower], "value"), message: `${lower} stands here` }],
    );
  }
}

function* checkEnum({ schema, path }: SchemaNode, document: SchemaDocument): Generator<Diagnostic> {
  const values = ownValue(schema, "enum");
  if (!Array.isArray(values)) return;
  const at = [...path, "enum"];
  if (values.length === 0) yield emptyEnum(placeOf(document, at, "value"), {});
  for (const index of repeatedIndexes(values)) {
    const value = describeValue(values[index] ?? null);
    yield repeatedValue(placeOf(document, [...at, index], "value"), { keyword: "enum", value });
  }
  yield* checkEnumTypes(values, schema, at, document);
}

/** True if a keyword restricts the values of a type, so that listed values must fit it. */
function isNarrowing({ name, shape }: KeywordDefinition): boolean {
  return ["number", "positive number", "count"].includes(shape) || name === "format";
}

/** The reason why no argument can have a listed value: its type, or a bound beside it. */
function reasonAgainst(value: JsonValue, schema: JsonObject): string | undefined {
  if (!isOfTypes(schema, value)) return `it is not ${typeText(schema)}`;
  const broken = Object.entries(schema).find(([keyword, rule]) => {
    const definition = KEYWORDS.get(keyword);
    return definition && isNarrowing(definition) && !meets(value, { definition, rule });
  });
  return broken && `${broken[0]} is ${String(broken[1])}`;
}

function* checkEnumTypes(
  values: readonly JsonValue[],
  schema: JsonObject,
  at: readonly (string | number)[],
  document: SchemaDocument,
): Generator<Diagnostic> {
  const reasons = values.map((value) => reasonAgainst(value, schema));
  if (values.length > 0 && reasons.every((reason) => reason !== undefined)) {
    const found = describeValue(values[0] ?? null);
    const reason = reasons[0] ?? "";
    yield enumAgainstType(placeOf(document, at, "value"), { reason, found });
    return;
  }
  for (const [index, reason] of reasons.entries()) {
    if (reason === undefined) continue;
    const value = describeValue(values[index] ?? null);
    yield enumValueOfOtherType(placeOf(document, [...at, index], "value"), { value, reason });
  }
}

function* checkConstant(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const value = ownValue(schema, "const");
  if (value === undefined) return;
  const values = ownValue(schema, "enum");
  const isListed =
    !Array.isArray(values) || values.some((item) => canonicalText(item) === canonicalText(value));
  const reason = reasonAgainst(value, schema);
  if (isListed && reason === undefined) return;
  yield impossibleConstant(placeOf(document, [...path, "const"], "value"), {
    value: describeValue(value),
    rule: reason ?? "enum does not list it",
  });
}

/** Reports required properties that `additionalProperties: false` refuses, or that nothing describes. */
function* checkRequired(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const required = ownValue(schema, "required");
  const patterns = ownValue(schema, "patternProperties");
  const hasPatterns = isJsonObject(patterns) && Object.keys(patterns).length > 0;
  if (!Array.isArray(required) || hasPatterns) return;
  const properties = Object.hasOwn(schema, "properties") ? schema["properties"] : {};
  // The rules of forms check the names of a form's fields.
  if (!isJsonObject(properties) || document.role === "form") return;
  const isClosed = ownValue(schema, "additionalProperties") === false;
  const names = Object.keys(properties);
  for (const [index, name] of required.entries()) {
    if (typeof name !== "string" || Object.hasOwn(properties, name)) continue;
    // No manifest can describe this name, and `checkRefusedNames` reports it in inputs.
    if (name === REFUSED_NAME && (document.role === "input" || !isClosed)) continue;
    const nearest = document.run.nearest(name, names);
    const isSlip = nearest !== undefined || (path.length === 0 && isDescribedHere(schema));
    if (!isClosed && !isSlip) continue;
    const diagnostic = isClosed ? undeclaredRequired : requiredNotDescribed;
    const place = placeOf(document, [...path, "required", index], "value");
    yield diagnostic(place, { name, ...(nearest && { nearest }) });
  }
}

/** True if only `properties` can describe the properties of the object. */
function isDescribedHere(schema: JsonObject): boolean {
  return (
    Object.hasOwn(schema, "properties") &&
    DESCRIBING_KEYWORDS.every((keyword) => !Object.hasOwn(schema, keyword))
  );
}

const DESCRIBING_KEYWORDS = [
  ...["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies"],
  ...["additionalProperties", "unevaluatedProperties"],
];

const typeText = (schema: JsonObject): string => `of type ${statedTypes(schema).join(" or ")}`;

function isOfTypes(schema: JsonObject, value: JsonValue): boolean {
  // Another rule reports an unknown type.
  const isUnknown = (type: JsonValue): boolean => !TYPE_NAMES.some((name) => name === type);
  const types = statedTypes(schema);
  return types.length === 0 || types.some((type) => isUnknown(type) || isOfType(value, type));
}
