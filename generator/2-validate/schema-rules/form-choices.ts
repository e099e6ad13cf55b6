import { formChoiceCount, formChoices, formKeyword } from "../../model/catalogue/forms.js";
import { repeatedValue } from "../../model/catalogue/schema-meaning.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue, type SchemaPath } from "../../schema/json-schema.js";
import { describeValue } from "../../text/value-words.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";

/** Checks the choices of a field: choices with titles, the names of values, and the choices of lists. */
export function* choiceProblems(
  field: JsonObject,
  path: SchemaPath,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const items = ownValue(field, "items");
  if (isJsonObject(items)) yield* checkItems(items, field, path, document);
  yield* checkTitled("oneOf", field, path, document);
  yield* checkNames(field, path, document);
}

function* checkItems(
  items: JsonObject,
  field: JsonObject,
  path: SchemaPath,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const at = [...path, "items"];
  const type = ownValue(items, "type");
  const isTitled = Object.hasOwn(items, "anyOf");
  if (type !== "string" && !(isTitled && type === undefined)) {
    yield formChoices(placeOf(document, type === undefined ? at : [...at, "type"], "value"), {
      expected: 'the choices under "items" must have type: string',
      found: type === undefined ? "no type" : describeValue(type),
    });
  }
  const allowed = ["type", isTitled ? "anyOf" : "enum"];
  for (const keyword of Object.keys(items)) {
    if (allowed.includes(keyword) || keyword.startsWith("x-")) continue;
    const place = placeOf(document, [...at, keyword], "key");
    yield formKeyword(place, { keyword, what: "the choices of a form's list", allowed });
  }
  yield* checkTitled("anyOf", items, at, document);
  yield* checkCount(field, ownValue(items, isTitled ? "anyOf" : "enum"), path, document);
}

/** Checks that each choice has a value and a title, both texts, and that no value is repeated. */
function* checkTitled(
  keyword: "oneOf" | "anyOf",
  schema: JsonObject,
  path: SchemaPath,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const choices = ownValue(schema, keyword);
  if (!Array.isArray(choices)) return;
  const values = new Set<string>();
  for (const [index, choice] of choices.entries()) {
    const at = [...path, keyword, index];
    const problem = titledProblem(choice, at, document);
    if (problem !== undefined) yield problem;
    const value = isJsonObject(choice) ? ownValue(choice, "const") : undefined;
    if (typeof value !== "string") continue;
    if (values.has(value)) {
      const place = placeOf(document, [...at, "const"], "value");
      yield repeatedValue(place, { keyword, value: describeValue(value) });
    }
    values.add(value);
  }
}

function titledProblem(
  choice: JsonValue,
  path: SchemaPath,
  document: SchemaDocument,
): Diagnostic | undefined {
  const expected = "a choice must be {const: value, title: text}";
  if (!isJsonObject(choice)) {
    return formChoices(placeOf(document, path, "value"), {
      expected,
      found: describeValue(choice),
    });
  }
  for (const key of ["const", "title"]) {
    const value = ownValue(choice, key);
    if (typeof value === "string") continue;
    const found = value === undefined ? `one without "${key}"` : `${key}: ${describeValue(value)}`;
    const place = placeOf(document, value === undefined ? path : [...path, key], "value");
    return formChoices(place, { expected, found });
  }
  const other = Object.keys(choice).find((key) => !/^(?:const|title|description|x-.*)$/.test(key));
  if (other === undefined) return undefined;
  const place = placeOf(document, [...path, other], "key");
  return formChoices(place, { expected, found: `one with "${other}"` });
}

function* checkNames(
  field: JsonObject,
  path: SchemaPath,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const names = ownValue(field, "enumNames");
  const values = ownValue(field, "enum");
  if (names === undefined || !Array.isArray(values)) return;
  const areTexts = Array.isArray(names) && names.every((name) => typeof name === "string");
  if (areTexts && names.length === values.length) return;
  yield formChoices(placeOf(document, [...path, "enumNames"], "value"), {
    expected: `"enumNames" must be a list of ${values.length} texts, one for each value of "enum"`,
    found: areTexts ? String(names.length) : describeValue(names),
  });
}

function* checkCount(
  field: JsonObject,
  choices: JsonValue | undefined,
  path: SchemaPath,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const least = ownValue(field, "minItems");
  if (!Array.isArray(choices) || typeof least !== "number" || least <= choices.length) return;
  const place = placeOf(document, [...path, "minItems"], "value");
  yield formChoiceCount(place, { least, choices: choices.length });
}
