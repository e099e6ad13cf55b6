import type { BodyCase } from "../../../../templates/runtime/suite/items/bodies.js";
import type { PlayedAnswer } from "../../../../templates/runtime/suite/clients/local-upstream.js";
import { onlyFields, stepsOf } from "../../../../templates/runtime/upstreams/pointer.js";
import type { HttpBodyModel } from "../../../model/bodies.js";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import { merged } from "../../../selection/made-answer.js";
import { answerPointer } from "../../../text/answer-placeholders.js";
import type {
  ItemModel,
  SchemaModel,
  ServerModel,
  ToolModel,
} from "../../../model/server-model.js";
import type { ReadItem } from "../../bodies/body-items.js";
import { envelopePart, nothingOf, NOTHING_FOUND } from "../../bodies/http-code.js";
import { CURSOR, NEXT_CURSOR } from "../../../selection/envelope.js";
import { expectedText } from "../expected-text.js";
import { isReadable, ownUris } from "../resource-contracts.js";
import { schemaMock, validArguments } from "../schema-instances.js";
import { receivedArguments } from "../tool-contracts.js";
import type { UriInstance } from "../uri-instances.js";
import { withTestCaller } from "./test-caller.js";
import { exampleOutcome } from "./example-outcome.js";
import { expectedRequest } from "./expected-request.js";
import { expectedValue, valueText } from "./expected-value.js";
import { selectedAnswer, type AnswerAndResult } from "./selected-answers.js";
import { unfitAnswers } from "./unfit-answers.js";

/** The cases of an `http` body: its examples, or a generated request if it has none, and what the manifest says of failures. */
export function httpCases(item: ItemModel, body: HttpBodyModel, model: ServerModel): BodyCase[] {
  if (item.kind === "prompt") return [];
  const successes =
    item.kind === "tool" ? toolCases(item, body, model) : readCases(item, body, model);
  const [first] = successes;
  if (first === undefined) return [];
  return [
    ...successes.map(({ test }) => test),
    ...(item.kind === "tool" ? unfitCases(item, body, model, first.test.parameters) : []),
    ...statusCases(first.test.parameters, first.received, body),
    ...(item.kind === "tool" ? emptyCases(item, body, first.test.parameters) : []),
    ...(item.kind === "tool" ? noContentCases(first, body, item) : []),
  ];
}

/** A case that succeeds, and the arguments that the code of the body receives. */
interface SuccessCase {
  readonly test: BodyCase;
  readonly received: JsonObject;
}

function toolCases(tool: ToolModel, body: HttpBodyModel, model: ServerModel): SuccessCase[] {
  const fromExamples = exampleCases(tool, body, model);
  return fromExamples.length > 0 ? fromExamples : generatedCall(tool, body, model);
}

/** The cases of the examples that give the upstream's answer. */
function exampleCases(tool: ToolModel, body: HttpBodyModel, model: ServerModel): SuccessCase[] {
  return tool.examples.flatMap((example) => {
    const { http, name, arguments: values } = example;
    if (http === undefined) return [];
    const { answers, ...outcome } = exampleOutcome(tool, example, http);
    const received = receivedArguments(tool, values);
    const test = {
      name,
      parameters: { arguments: values },
      answers: [...answers, ...lastPage(body)],
      ...besideAnswer(body),
      request: expectedRequest(body, received, model),
      ...outcome,
    };
    return [{ test, received }];
  });
}

/** The page without items that follows the page of an example; none if the body has no pages. */
export function lastPage({ pages, result }: HttpBodyModel): PlayedAnswer[] {
  // With cursors, a call asks for as many pages as it has answers.
  return pages === undefined ? [] : [{ body: valueAtPointer([], result.from ?? "") }];
}

/** A call and an answer that are generated from the schemas; none if no such values could be generated. */
function generatedCall(tool: ToolModel, body: HttpBodyModel, model: ServerModel): SuccessCase[] {
  const valid = validArguments(model, tool);
  if (valid === undefined) return [];
  const { [CURSOR]: _cursor, ...others } = valid;
  const values = body.pages?.expose === true ? others : valid;
  const received = receivedArguments(tool, values);
  if (!mayBeSent(body, received)) return [];
  const generated = madeAnswer(tool, body, model);
  if (generated === undefined || (body.pages !== undefined && !Array.isArray(generated.answer)))
    return [];
  const { answer, result: value } = { ...generated, result: enveloped(body, generated.result) };
  const { from = "" } = body.result;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const content = [{ type: "text", text: body.method === "HEAD" ? "200 OK" : text }];
  const test = {
    name: "a call made from the schema",
    parameters: { arguments: values },
    answers: [{ body: valueAtPointer(answer, from) }, ...lastPage(body)],
    request: expectedRequest(body, received, model),
    ...besideAnswer(body),
    result: tool.output === undefined ? { content } : { structuredContent: value },
  };
  return [{ test, received }];
}

/** An answer of the upstream that is generated, and what the body makes of it; undefined if none could be generated. */
function madeAnswer(
  tool: ToolModel,
  body: HttpBodyModel,
  model: ServerModel,
): AnswerAndResult | undefined {
  const { fields } = body.result;
  const { select } = body;
  if (select !== undefined) return selectedAnswer(tool, select, model);
  const answer = tool.output === undefined ? { ok: true } : contentMock(tool.output, body, model);
  if (answer === undefined) return undefined;
  return {
    answer,
    result: fields === undefined ? answer : (onlyFields(answer, fields) as JsonValue),
  };
}

/** The case of an answer that breaks the output schema. */
function unfitCases(
  tool: ToolModel,
  body: HttpBodyModel,
  model: ServerModel,
  parameters: JsonObject,
): BodyCase[] {
  const { from = "", fields } = body.result;
  if (
    body.pages !== undefined ||
    envelopePart(body) !== undefined ||
    fields !== undefined ||
    body.select !== undefined
  )
    return [];
  return unfitAnswers(tool, body, model).map(({ answer, ...outcome }) => ({
    ...outcome,
    parameters,
    answers: [{ body: valueAtPointer(answer, from) }],
  }));
}

/** A read of each URI that only this resource or template matches, with an invented answer. */
function readCases(item: ReadItem, body: HttpBodyModel, model: ServerModel): SuccessCase[] {
  const object = { ok: true };
  const answer = body.pages === undefined ? object : [object];
  const { from = "", fields } = body.result;
  const value = fields === undefined ? answer : (onlyFields(answer, fields) as JsonValue);
  const { mimeType = "application/json" } = item;
  return readsOf(item, model)
    .filter(({ variables }) => mayBeSent(body, variables))
    .map(({ uri, variables }) => ({
      test: {
        name: `a read of ${uri}`,
        parameters: { uri },
        answers: [{ body: valueAtPointer(answer, from) }, ...lastPage(body)],
        request: expectedRequest(body, variables, model),
        result: { contents: [{ uri, mimeType, text: JSON.stringify(value) }] },
      },
      received: variables,
    }));
}

/** URIs that only this resource or template matches, with the values of their variables. */
export function readsOf(item: ReadItem, model: ServerModel): UriInstance[] {
  if (item.kind === "resourceTemplate") return ownUris(item, model);
  return isReadable(item.uri, model) ? [{ uri: item.uri, variables: {} }] : [];
}

/** True if the arguments in path, headers and cookies have values that a request can carry. */
export function mayBeSent(body: HttpBodyModel, given: JsonObject): boolean {
  const { path, headers, cookies } = body;
  const values = withTestCaller(body, given);
  const isPathValue = (value: JsonValue | undefined): boolean =>
    value !== undefined && value !== null && !/^\.{0,2}$/.test(String(value));
  const areHeaders = [...headers, ...cookies].every(
    ([, value]) => value.kind !== "argument" || isHeaderText(values[value.argument]),
  );
  return (
    areHeaders &&
    path.every((part) => typeof part === "string" || isPathValue(values[part.argument]))
  );
}

function isHeaderText(value: JsonValue | undefined): boolean {
  return typeof value !== "string" || /^[ -~]*$/.test(value);
}

/** A JSON document that has the value at a JSON Pointer. */
export function valueAtPointer(value: JsonValue, pointer: string): JsonValue {
  const steps = stepsOf(pointer).reverse();
  return steps.reduce<JsonValue>((inner, key) => {
    return /^\d+$/.test(key) ? [...Array<null>(Number(key)).fill(null), inner] : { [key]: inner };
  }, value);
}

/** The cases of the statuses that say that there is nothing. */
function emptyCases(tool: ToolModel, body: HttpBodyModel, parameters: JsonObject): BodyCase[] {
  const { empty = [] } = body.result;
  const nothing = nothingOf(tool, body);
  const content = [{ type: "text", text: NOTHING_FOUND }];
  return empty.map((status) => ({
    name: `status ${status}`,
    parameters,
    answers: [{ status, body: {} }],
    ...besideAnswer(body),
    result:
      nothing === undefined ? { content } : { structuredContent: enveloped(body, nothing.value) },
  }));
}

/** The case of an answer without content, for which the manifest has a result. */
function noContentCases(
  { test: { parameters }, received }: SuccessCase,
  body: HttpBodyModel,
  { output }: ToolModel,
): BodyCase[] {
  const { noContent } = body.result;
  const value = noContent && expectedValue(noContent, withTestCaller(body, received));
  if (value === undefined) return [];
  const content = [{ type: "text", text: valueText(value) }];
  const result = output === undefined ? { content } : { structuredContent: enveloped(body, value) };
  const answers = [{ status: 204 }];
  return [{ name: "status 204", parameters, answers, ...besideAnswer(body), result }];
}

/** The headers that every service sends. */
const USUAL_HEADERS =
  /^(?:date|content-type|content-length|transfer-encoding|connection|keep-alive)$/i;

/** The members of a result whose values do not follow from the manifest. */
function besideAnswer({ pages, result: { headers = {} } }: HttpBodyModel): { beside?: string[] } {
  const usual = Object.entries(headers).filter(([, name]) => USUAL_HEADERS.test(name));
  const beside = [
    ...(pages?.expose === true ? [NEXT_CURSOR] : []),
    ...usual.map(([member]) => member),
  ];
  return beside.length === 0 ? {} : { beside };
}

/** A result with what a body makes of an answer without any of the headers that it wants. */
function enveloped(body: HttpBodyModel, value: JsonValue): JsonValue {
  const part = envelopePart(body);
  return part === undefined ? value : { [part]: value };
}

/** What a body makes of an answer, which is generated from the output schema; undefined if none could be generated. */
function contentMock(
  { wire }: SchemaModel,
  body: HttpBodyModel,
  model: ServerModel,
): JsonValue | undefined {
  const mock = schemaMock(model, wire);
  const part = envelopePart(body);
  return part === undefined || mock === undefined ? mock : (mock as JsonObject)[part];
}

/**
 * The cases of the statuses for which the manifest has a text.
 *
 * @param received the arguments that the code of the body receives
 */
export function statusCases(
  parameters: JsonObject,
  received: JsonObject,
  body: HttpBodyModel,
): BodyCase[] {
  const values = withTestCaller(body, received);
  return body.errors.map(({ status, text, ofAnswer = [] }) => {
    const parts = ofAnswer.map((name) => [name, answerPointer(name).slice(1) || "body"] as const);
    const bodies = parts.map(([name, part]) => valueAtPointer(part, answerPointer(name)));
    return {
      name: `status ${status}`,
      parameters,
      answers: [{ status, body: merged(...bodies) ?? {} }],
      error: expectedText(text, { ...values, ...Object.fromEntries(parts) }),
    };
  });
}
