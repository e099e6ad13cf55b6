import { isDeepStrictEqual } from "node:util";
import { onlyFields, valueAt } from "../../../templates/runtime/upstreams/pointer.js";
import {
  exampleMisfit,
  fieldWithoutSchema,
  noValues,
  resultMisfit,
} from "../../model/catalogue/bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { emptyValue } from "../../schema/empty-value.js";
import { DescribedNames } from "../../schema/flat-root/described-names.js";
import { isJsonSchema, ownValue } from "../../schema/json-schema.js";
import { AnswerSchema } from "../../selection/answer-schema.js";
import { nearestName } from "../../text/nearest-name.js";
import { parseSelection } from "../../selection/parse-selection.js";
import { sharedSchemas } from "../../schema/schema-reference.js";
import { selectedValue } from "../../selection/selected-value.js";
import { answerPlaceholders } from "../../text/answer-placeholders.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { describeValue, quoted } from "../../text/value-words.js";
import {
  has,
  listIn,
  mappingIn,
  mappingsIn,
  textIn,
  type Mapping,
  methodOf,
} from "../manifest-view.js";
import type { BodyItem } from "./body-item.js";
import { excludesType, statedTypes } from "../../schema/keyword-values.js";
import type { SourceItem } from "./source-items.js";

/** Checks that what `result` and `paginate` make of answers fits the outputSchema and the examples. */
export function resultProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const misfits = [
    ...headProblems(manifest, item),
    ...emptyProblems(manifest, item),
    ...cutProblems(manifest, item),
    ...schemaProblems(manifest, item),
  ];
  return misfits.length > 0 ? misfits : exampleProblems(manifest, item);
}

/** Reports what needs the body of an answer to HEAD, which has none. */
function headProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { body } = item;
  if (methodOf(body.value) !== "HEAD") return [];
  const place = manifest.locate([...body.path, "method"], "value");
  const problem = (reader: string): Diagnostic =>
    resultMisfit(place, { problem: `an answer to HEAD has no body, which ${reader} needs` });
  if (item.what !== "the tool") return [problem(item.what)];
  const result = mappingIn(body, "result")?.value ?? {};
  const reader =
    ["paginate"].find((key) => has(body.value, key)) ??
    ["from", "fields"].find((key) => has(result, key)) ??
    ["outputSchema"].find((key) => has(item.item.value, key));
  return reader === undefined ? [] : [problem(quoted(reader))];
}

/** Reports statuses that say that there is nothing where nothing can stand for that, or where they have a text. */
function emptyProblems(manifest: LoadedManifest, { item, body, what }: BodyItem): Diagnostic[] {
  const result = mappingIn(body, "result");
  if (result === undefined || !has(result.value, "empty")) return [];
  const path = [...result.path, "empty"];
  const at = (problem: string): Diagnostic[] => [
    resultMisfit(manifest.locate(path, "key"), { problem }),
  ];
  if (what !== "the tool") return at('only the result of a tool can be "empty"');
  const texts = mappingIn(body, "errors")?.value ?? {};
  const both = listIn(result.value, "empty")
    .map(String)
    .filter((status) => has(texts, status));
  if (both.length > 0) return at(`the status ${both.join(", ")} has a text under "errors"`);
  const output = ownValue(item.value, "outputSchema");
  if (!isJsonSchema(output) || emptyValue(output, sharedSchemas(manifest.value))) return [];
  return at(
    "the outputSchema accepts neither an empty list nor null, one of which says that there is nothing",
  );
}

/** Reports `truncate` beside keys that need JSON: an answer that is cut is no JSON. */
function cutProblems(manifest: LoadedManifest, { body, isSource }: BodyItem): Diagnostic[] {
  const result = mappingIn(body, "result");
  if (result?.value["truncate"] !== true || isSource) return [];
  const reader = has(body.value, "paginate")
    ? "paginate"
    : ["from", "fields"].find((key) => has(result.value, key));
  if (reader === undefined) return [];
  const place = manifest.locate([...result.path, "truncate"], "key");
  const problem = `an answer that is cut is no JSON, which "${reader}" needs`;
  return [resultMisfit(place, { problem })];
}

function schemaProblems(manifest: LoadedManifest, { item, body }: BodyItem): Diagnostic[] {
  const output = ownValue(item.value, "outputSchema");
  if (!isJsonObject(output ?? null)) return [];
  const schema = output as JsonObject;
  const result = mappingIn(body, "result");
  const at = (holder: Mapping, key: string) => manifest.locate([...holder.path, key], "key");
  const problems: Diagnostic[] = [];
  const isSelected = result !== undefined && has(result.value, "select");
  if (has(body.value, "paginate") && !isSelected && excludesType(schema, "array")) {
    const problem = "the pages of a list come out as a list, which the outputSchema refuses";
    problems.push(resultMisfit(at(body, "paginate"), { problem }));
  }
  if (result?.value["truncate"] === true) {
    const problem = "an answer that is cut is no JSON, which the outputSchema needs";
    problems.push(resultMisfit(at(result, "truncate"), { problem }));
  }
  if (result === undefined || !has(result.value, "fields")) return problems;
  const source = objectSchema(schema);
  if (excludesType(source, "object") && excludesType(source, "array")) {
    const problem = '"fields" keeps members of objects, and the outputSchema has no objects';
    problems.push(resultMisfit(at(result, "fields"), { problem }));
  }
  const fields = listIn(result.value, "fields").map(String);
  const missing = requiredOf(schema).filter((name) => !fields.includes(name));
  if (missing.length > 0) {
    const named = missing.map(quoted).join(", ");
    const problem = `the outputSchema requires ${named}, which "fields" leaves out`;
    problems.push(resultMisfit(at(result, "fields"), { problem }));
  }
  return problems.length > 0 ? problems : unknownFields(manifest, schema, result);
}

/** Reports the fields of a result of which its schema says nothing, if it names any. */
function unknownFields(
  manifest: LoadedManifest,
  schema: JsonObject,
  result: Mapping,
): Diagnostic[] {
  const shared = sharedSchemas(manifest.value);
  const answer = new AnswerSchema(schema, shared);
  const objects = objectSchemas(answer);
  const known = [...new Set(objects.flatMap((one) => answer.names(one)))];
  const isOpen = objects.some((one) => answer.hasOpenAlternative(one));
  if (known.length === 0 || isOpen) return [];
  const described = new DescribedNames(shared, (rule) => rule !== undefined && rule !== false);
  const describe = objects.map((one) => {
    const whole = answer.withDefinitions(one);
    return described.test(whole, whole);
  });
  return listIn(result.value, "fields").flatMap((field, index) => {
    const name = String(field);
    if (describe.some((describes) => describes(name))) return [];
    const place = manifest.locate([...result.path, "fields", index], "value");
    return [fieldWithoutSchema(place, { name, nearest: nearestName(name, known), known })];
  });
}

/** What is known of the objects from which fields are picked: the result, each item of a list, or both. */
function objectSchemas(answer: AnswerSchema): JsonSchema[] {
  const { root } = answer;
  const items = answer.items(root);
  if (!answer.typesOf(root).has("object")) return items === undefined ? [] : [items.schema];
  return items?.isKnown === true ? [root, items.schema] : [root];
}

/** The schema of the objects from which fields are picked: the result, or each item of a list. Empty if it is unknown. */
function objectSchema(schema: JsonObject): JsonObject {
  if (!statedTypes(schema).includes("array")) return schema;
  const items = ownValue(schema, "items");
  return isJsonObject(items ?? null) ? (items as JsonObject) : {};
}

/** The required members of the objects of a result. */
function requiredOf(schema: JsonObject): string[] {
  const required = ownValue(objectSchema(schema), "required");
  return Array.isArray(required) ? required.map(String) : [];
}

/** Checks the `result` of a source of values: its answers must be JSON, and a completion takes one field. */
export function valueProblems(
  manifest: LoadedManifest,
  { body, completed }: SourceItem,
): Diagnostic[] {
  const result = mappingIn(body, "result");
  if (result === undefined) return [];
  const at = (key: string) => manifest.locate([...result.path, key], "key");
  const isSelected = has(result.value, "select");
  const isSeveral = completed !== undefined && listIn(result.value, "fields").length > 1;
  const isCut = result.value["truncate"] === true;
  return [
    ...(isSelected
      ? [noValues(at("select"), { problem: 'it has "from" and "fields" instead' })]
      : []),
    ...(isSeveral ? [noValues(at("fields"), { problem: "a completion takes one field" })] : []),
    ...(isCut ? [noValues(at("truncate"), { problem: "an answer that is cut is no JSON" })] : []),
  ];
}

/** Checks that the outcome of an example is what the body makes of the example's answer. */
function exampleProblems(manifest: LoadedManifest, body: BodyItem): Diagnostic[] {
  return mappingsIn(body.item, "examples").flatMap((example) => {
    const answer = mappingIn(example, "http");
    const key = ["result", "text", "error"].find((outcome) => has(example.value, outcome));
    if (answer === undefined || key === undefined) return [];
    const expected = { kind: key, value: example.value[key] ?? null };
    const made = outcomeOf(body, example, answer.value);
    if (made === undefined || isSame(made, expected)) return [];
    const place = manifest.locate([...example.path, key], "value");
    return [exampleMisfit(place, { expected: inWords(expected), made: inWords(made) })];
  });
}

interface Outcome {
  readonly kind: string;
  readonly value: JsonValue;
}

function isSame(made: Outcome, expected: Outcome): boolean {
  return made.kind === expected.kind && isDeepStrictEqual(made.value, expected.value);
}

function inWords({ kind, value }: Outcome): string {
  const shown = typeof value === "string" ? quoted(value) : describeValue(value);
  return `the ${kind} ${shown}`;
}

/** The outcome that a body makes of an answer. Undefined if it is not certain. */
function outcomeOf(body: BodyItem, example: Mapping, answer: JsonObject): Outcome | undefined {
  const status = answer["status"] ?? 200;
  if (typeof status !== "number") return undefined;
  if (listIn(mappingIn(body.body, "result")?.value ?? {}, "empty").includes(status))
    return undefined;
  if (status >= 300) return errorOf(body, example, status);
  const { value: http } = body.body;
  if (has(http, "paginate") || methodOf(http) === "HEAD") return undefined;
  const result = mappingIn(body.body, "result")?.value ?? {};
  if (status === 204 && has(result, "noContent")) return undefined;
  const hasOutput = has(body.item.value, "outputSchema") || has(result, "headers");
  const value = resultValue(body, answer);
  if (value === undefined) return undefined;
  if (hasOutput) return { kind: "result", value };
  return { kind: "text", value: typeof value === "string" ? value : JSON.stringify(value) };
}

function resultValue({ body }: BodyItem, answer: JsonObject): JsonValue | undefined {
  const result = mappingIn(body, "result")?.value ?? {};
  if (has(result, "select")) return selectedResult(textIn(result, "select") ?? "", answer);
  const isUnchanged = !has(result, "from") && !has(result, "fields");
  if (has(answer, "text")) return isUnchanged ? answer["text"] : undefined;
  if (!has(answer, "body")) return undefined;
  const value = valueAt(answer["body"], textIn(result, "from") ?? "") as JsonValue | undefined;
  if (value === undefined || !has(result, "fields")) return value;
  return onlyFields(value, listIn(result, "fields").map(String)) as JsonValue;
}

/** What a selection makes of an example's answer. Undefined if it fails, or is no selection. */
function selectedResult(select: string, answer: JsonObject): JsonValue | undefined {
  const parsed = parseSelection(select);
  if (parsed.problem !== undefined || !has(answer, "body")) return undefined;
  try {
    return selectedValue(parsed.selection, answer["body"]) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The error with the manifest's text for a status. Undefined if it has none, so that the upstream's message is used. */
function errorOf(
  { body, names }: BodyItem,
  { value }: Mapping,
  status: number,
): Outcome | undefined {
  const text = textIn(mappingIn(body, "errors")?.value ?? {}, String(status));
  if (text === undefined) return undefined;
  const exampleArguments = ownValue(value, "arguments");
  const ofAnswer = answerPlaceholders(text).filter((name) => !names.has(name));
  const { template } = parseTextTemplate(text, new Set([...names, ...ofAnswer]));
  const parts = template.map((part) => {
    if (typeof part === "string") return part;
    if (!("argument" in part) || ofAnswer.includes(part.argument)) return undefined;
    const argument = isJsonObject(exampleArguments)
      ? ownValue(exampleArguments, part.argument)
      : undefined;
    const isShown = typeof argument === "string" || typeof argument === "number";
    return isShown ? String(argument) : undefined;
  });
  return parts.includes(undefined) ? undefined : { kind: "error", value: parts.join("") };
}
