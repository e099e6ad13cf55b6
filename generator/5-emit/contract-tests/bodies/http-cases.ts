import type { BodyCase } from "../../../../templates/runtime/suite/items/bodies.js";
import type { PlayedAnswer } from "../../../../templates/runtime/suite/clients/local-upstream.js";
import { onlyFields } from "../../../../templates/runtime/upstreams/pointer.js";
import type { HttpBodyModel } from "../../../model/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { saysNotFound } from "../../bodies/http.js";
import type { BodilyItem, ReadItem } from "../../bodies/body-items.js";
import { expectedText } from "../expected-text.js";
import { isReadable, ownUris } from "../resource-contracts.js";
import { schemaInstances, schemaMock } from "../schema-instances.js";
import { receivedArguments } from "../tool-contracts.js";
import type { UriInstance } from "../uri-instances.js";
import { playedExample } from "./examples.js";
import { expectedRequest } from "./expected-request.js";

/** The longest answer where the body does not say it, in bytes: the runtime's own. */
const USUAL_MAX_BYTES = 1_048_576;

/** What is tested of an `http` body: its examples, or a request that is made up, and what may go wrong. */
export function httpCases(item: BodilyItem, body: HttpBodyModel, model: ServerModel): BodyCase[] {
  if (item.kind === "prompt") return [];
  const usual = item.kind === "tool" ? toolCases(item, body, model) : readCases(item, body, model);
  const [first] = usual;
  if (first === undefined) return [];
  return [
    ...usual.map(({ test }) => test),
    ...failures(first.test.parameters, first.received, body, saysNotFound(item, body.errors)),
  ];
}

/** A case of what should happen, and the arguments that the code of the body gets. */
interface UsualCase {
  readonly test: BodyCase;
  readonly received: JsonObject;
}

function toolCases(tool: ToolModel, body: HttpBodyModel, model: ServerModel): UsualCase[] {
  const shown = exampleCases(tool, body, model);
  return shown.length > 0 ? shown : madeUpCall(tool, body, model);
}

/** The examples that say what the upstream answers. */
function exampleCases(tool: ToolModel, body: HttpBodyModel, model: ServerModel): UsualCase[] {
  return tool.examples.flatMap((example) => {
    const { http, name, arguments: values } = example;
    if (http === undefined) return [];
    const { answers, result } = playedExample(tool, example, http);
    const received = receivedArguments(tool, values);
    const test = {
      name,
      parameters: { arguments: values },
      answers: [...answers, ...lastPage(body)],
      request: expectedRequest(body, received, model),
      ...(result !== undefined && { result }),
    };
    return [{ test, received }];
  });
}

/** After the page of an example comes one without items. */
export function lastPage({ pages, result }: HttpBodyModel): PlayedAnswer[] {
  return pages === undefined ? [] : [{ body: placed([], result.from ?? "") }];
}

/** A call and an answer that are made from the schemas; none where the schema allows no call that is known. */
function madeUpCall(tool: ToolModel, body: HttpBodyModel, model: ServerModel): UsualCase[] {
  const values = schemaInstances(model, tool.input.wire).valid.filter(isJsonObject)[0];
  if (values === undefined) return [];
  const received = receivedArguments(tool, values);
  if (!mayBeSent(body, received)) return [];
  const made = tool.output === undefined ? { ok: true } : schemaMock(model, tool.output.wire);
  const isPart = body.pages === undefined || Array.isArray(made);
  if (made === undefined || !isPart) return [];
  const { from = "", fields } = body.result;
  const value = fields === undefined ? made : (onlyFields(made, fields) as JsonValue);
  const whole = typeof value === "string" ? value : JSON.stringify(value);
  const content = [{ type: "text", text: body.method === "HEAD" ? "200 OK" : whole }];
  const test = {
    name: "a call made from the schema",
    parameters: { arguments: values },
    answers: [{ body: placed(made, from) }, ...lastPage(body)],
    request: expectedRequest(body, received, model),
    result: tool.output === undefined ? { content } : { structuredContent: value },
  };
  return [{ test, received }];
}

/** A read of each URI that a resource or a template has to itself, with an answer that is made up. */
function readCases(item: ReadItem, body: HttpBodyModel, model: ServerModel): UsualCase[] {
  const object = { ok: true };
  const made = body.pages === undefined ? object : [object];
  const { from = "", fields } = body.result;
  const value = fields === undefined ? made : (onlyFields(made, fields) as JsonValue);
  const { mimeType = "application/json" } = item;
  return readsOf(item, model)
    .filter(({ variables }) => mayBeSent(body, variables))
    .map(({ uri, variables }) => ({
      test: {
        name: `a read of ${uri}`,
        parameters: { uri },
        answers: [{ body: placed(made, from) }, ...lastPage(body)],
        request: expectedRequest(body, variables, model),
        result: { contents: [{ uri, mimeType, text: JSON.stringify(value) }] },
      },
      received: variables,
    }));
}

/** The URIs that a resource or a template has to itself, with the variables that they are made of. */
export function readsOf(item: ReadItem, model: ServerModel): UriInstance[] {
  if (item.kind === "resourceTemplate") return ownUris(item, model);
  return isReadable(item.uri, model) ? [{ uri: item.uri, variables: {} }] : [];
}

/** Whether each argument in the path has a value that may stand there. */
export function mayBeSent({ path, headers, cookies }: HttpBodyModel, values: JsonObject): boolean {
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

/** A JSON value with another at a pointer in it. */
export function placed(value: JsonValue, pointer: string): JsonValue {
  const steps = pointer.split("/").slice(1).reverse();
  return steps.reduce<JsonValue>((inner, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^\d+$/.test(key) ? [...Array<null>(Number(key)).fill(null), inner] : { [key]: inner };
  }, value);
}

/**
 * Errors of the upstream, and answers that do not come as they should.
 *
 * @param received the arguments that the code of the body gets
 * @param isAbsent whether the upstream's 404 means that there is no such resource
 */
export function failures(
  parameters: JsonObject,
  received: JsonObject,
  { upstream, method, errors, result }: HttpBodyModel,
  isAbsent: boolean,
): BodyCase[] {
  const mapped = errors.map(({ status, text }) => ({ status, text: expectedText(text, received) }));
  const textOf = (status: number, reason: string): string =>
    mapped.find((error) => error.status === status)?.text ??
    `The upstream ${upstream} answered ${status} ${reason}`;
  const failed = (name: string, answer: PlayedAnswer, error: string): BodyCase => ({
    name,
    parameters,
    answers: [answer],
    error,
  });
  const { maxBytes = USUAL_MAX_BYTES, truncate = false } = result;
  const tooLong = `The answer of the upstream ${upstream} is longer than ${maxBytes} bytes.`;
  return [
    ...mapped.map(({ status, text }) => failed(`status ${status}`, { status, body: {} }, text)),
    ...(mapped.some(({ status }) => status === 404)
      ? []
      : [
          failed(
            "status 404",
            { status: 404, body: {} },
            isAbsent ? "Resource " : textOf(404, "Not Found"),
          ),
        ]),
    failed("status 500", { status: 500, text: "oops" }, textOf(500, "Internal Server Error")),
    failed("no answer", { fault: "silence" }, `The upstream ${upstream} did not answer within`),
    failed("a broken answer", { fault: "break" }, `The upstream ${upstream} broke off`),
    ...(truncate || method === "HEAD"
      ? []
      : [failed("too long an answer", { fault: maxBytes }, tooLong)]),
  ];
}
