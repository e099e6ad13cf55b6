import { CURSOR } from "../../selection/envelope.js";
import type { HttpBodyModel, HttpPagesModel, PathPart } from "../../model/bodies.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import type { ItemModel, ToolModel } from "../../model/server-model.js";
import { emptyValue } from "../../schema/empty-value.js";
import { accepts } from "../../schema/interpret.js";
import {
  callOf,
  literalOf,
  movable,
  objectOf,
  onOneLine,
  sequenceOf,
  type Code,
} from "../../text/code.js";
import { answerPointer } from "../../text/answer-placeholders.js";
import { writeString, writeTemplateText } from "../../text/literal.js";
import { isOfCaller } from "../../text/caller-placeholders.js";
import type { Entry } from "../modules/item-settings.js";
import { HANDLER_PARAMETERS } from "../modules/handler-files.js";
import { memberOf } from "../modules/structures.js";
import { bodyArguments, type BodyArgument } from "./arguments.js";
import type { BodyCode } from "./body-code.js";
import { callerArguments, callerStatements } from "./caller-values.js";
import { placeholdersOfBody } from "./http-placeholders.js";
import { selectionOption, type SelectionOption } from "./selection.js";
import { ValueWriter } from "./value-writer.js";

/** The code of an `http` body: it sends the request and turns the answer into the result. */
export function httpCode(item: ItemModel, body: HttpBodyModel): BodyCode {
  const used = argumentsOfBody(body);
  const ofAnswer = partsOfAnswer(body);
  const writer = new ValueWriter(
    new Map([...ofAnswer, ...bodyArguments(item, used, ["caller"]), ...callerArguments(body)]),
    item.identifier,
  );
  const names = [...new Set(used)].map((name) => [name, writer.identifier(name)] as const);
  const caller = callerStatements(body, writer);
  const request = requestStatement(body, writer);
  const checks = errorChecks(item, body, writer);
  const selection = selectionOption(body.select, "json", [
    item.identifier,
    "answer",
    "ctx",
    ...names.map(([, local]) => local),
  ]);
  return {
    imports: [...writer.imports],
    steps: selection.steps,
    docs: `${body.method} ${pathInWords(body.path)} of the upstream \`${body.upstream}\`.`,
    parameter: names.length === 0 ? `_${HANDLER_PARAMETERS[item.kind]}` : objectOf(names),
    statements: [
      ...caller,
      request,
      ...checks,
      sequenceOf(["return ", resultCode(item, body, selection), ";"]),
    ],
  };
}

/** The statement that sends the request of a body, and waits for the answer. */
export function requestStatement(body: HttpBodyModel, writer: ValueWriter): Code {
  return sequenceOf(["const answer = await ", requestCode(body, writer), ";"]);
}

/** Statements that throw the errors for which the manifest has texts. */
export function mappedErrors({ errors }: HttpBodyModel, writer: ValueWriter): Code[] {
  return errors.map(({ status, text }) => {
    writer.imports.add("ToolError");
    return errorCheck(status, callOf("new ToolError", [writer.text(text)]));
  });
}

/**
 * Statements that throw errors of the upstream. For resources and prompts, a 404 without a text in the manifest
 * means that the item does not exist.
 */
function errorChecks(item: ItemModel, body: HttpBodyModel, writer: ValueWriter): Code[] {
  const { errors } = body;
  const checks = [
    ...mappedErrors(body, writer),
    ...emptyChecks(item, body),
    ...noContentChecks(item, body, writer),
  ];
  if (!saysNotFound(item, errors)) return checks;
  writer.imports.add("NotFoundError");
  return [...checks, errorCheck(404, "new NotFoundError()")];
}

/** What a tool without an output schema answers if there is nothing. */
export const NOTHING_FOUND = "Nothing was found.";

/** Statements that return a result without anything in it, for the statuses that say that there is nothing. */
function emptyChecks(item: ItemModel, body: HttpBodyModel): Code[] {
  if (item.kind !== "tool") return [];
  const nothing = nothingOf(item, body);
  const returned =
    nothing === undefined
      ? writeString(NOTHING_FOUND)
      : envelopedCode(body, literalOf(nothing.value));
  const { empty = [] } = body.result;
  return empty.map((status) =>
    sequenceOf([`if (answer.status === ${status}) return `, returned, ";"]),
  );
}

/** The value that says that there is nothing in what a body makes of an answer; undefined if the tool has no output schema. */
export function nothingOf(
  { output }: ToolModel,
  body: HttpBodyModel,
): { readonly value: JsonValue } | undefined {
  if (output === undefined) return undefined;
  const part = envelopePart(body);
  if (part === undefined) return emptyValue(output.wire);
  // The part alone does not have the definitions of the whole schema, so that the whole is tried.
  return [[], null]
    .map((value) => ({ value }))
    .find(({ value }) => accepts(output.wire, { [part]: value }));
}

/** The member of the result with what a body makes of an answer; undefined if that is the result. */
export function envelopePart({ pages, result }: HttpBodyModel): "items" | "body" | undefined {
  if (pages?.expose === true) return "items";
  return result.headers === undefined ? undefined : "body";
}

/** A value that a body returns without the answer, with what the result has beside it. */
function envelopedCode(body: HttpBodyModel, value: Code): Code {
  const part = envelopePart(body);
  if (part === undefined) return value;
  const { headers } = body.result;
  const enveloped = objectOf([[part, value]]);
  return headers === undefined
    ? enveloped
    : callOf("answer.withHeaders", [enveloped, literalOf({ ...headers })]);
}

/** The statement that returns what the manifest has for an answer without content. */
function noContentChecks(item: ItemModel, body: HttpBodyModel, writer: ValueWriter): Code[] {
  const { noContent } = body.result;
  if (item.kind !== "tool" || noContent === undefined) return [];
  const value =
    item.output === undefined && noContent.kind === "argument"
      ? writer.asText(noContent.argument)
      : writer.value(noContent);
  return [sequenceOf(["if (answer.status === 204) return ", envelopedCode(body, value), ";"])];
}

/** True if a 404 of the upstream becomes a `NotFoundError`: not in tools, and not if the manifest has a text for it. */
function saysNotFound({ kind }: ItemModel, errors: HttpBodyModel["errors"]): boolean {
  return kind !== "tool" && !errors.some(({ status }) => status === 404);
}

function errorCheck(status: number, error: Code): Code {
  const thrown = movable(sequenceOf(["throw ", error]));
  return sequenceOf([`if (answer.status === ${status}) `, thrown, ";"]);
}

/** The placeholders in texts of errors that stand for parts of the answer, with the code that reads them. */
export function partsOfAnswer({ errors }: HttpBodyModel): Map<string, BodyArgument> {
  const names = errors.flatMap(({ ofAnswer = [] }) => ofAnswer);
  return new Map(
    names.map((name) => {
      const identifier = `answer.words(${writeString(answerPointer(name))})`;
      return [name, { name, identifier, isPlainText: false, isRequired: false }];
    }),
  );
}

/** The arguments that a body uses, with repetitions. */
export function argumentsOfBody(body: HttpBodyModel): string[] {
  return placeholdersOfBody(body).filter((name) => !isOfCaller(name));
}

function requestCode(body: HttpBodyModel, writer: ValueWriter): Code {
  const upstream = memberOf("ctx.upstreams", body.upstream);
  const path = pathCode(body.path, writer);
  const options = optionEntries(body, writer);
  const parameters = options.length === 0 ? [path] : [path, objectOf(options)];
  return body.method === "OPTIONS"
    ? callOf(`${upstream}.request`, ['"OPTIONS"', ...parameters])
    : callOf(`${upstream}.${body.method.toLowerCase()}`, parameters);
}

function pathCode(parts: readonly PathPart[], writer: ValueWriter): string {
  if (parts.every((part) => typeof part === "string")) return writeString(parts.join(""));
  const texts = parts.map((part) =>
    typeof part === "string" ? writeTemplateText(part) : `\${${onOneLine(writer.argument(part))}}`,
  );
  return `${writer.imported("path")}\`${texts.join("")}\``;
}

function optionEntries(body: HttpBodyModel, writer: ValueWriter): Entry[] {
  const { query, headers, cookies, content, result, pages, retries } = body;
  const lists = { query, headers, cookies };
  return [
    ...Object.entries(lists).flatMap(([key, values]): Entry[] =>
      values.length === 0 ? [] : [[key, writer.object(values)]],
    ),
    ...contentEntries(content, writer),
    ...(result.maxBytes === undefined ? [] : [["maxBytes", literalOf(result.maxBytes)] as const]),
    ...(result.truncate === true ? [["truncate", "true"] as const] : []),
    ...(retries === undefined
      ? []
      : [["retries", literalOf({ max: retries.max, on: [...retries.on] })] as const]),
    ...(pages === undefined ? [] : [["pages", pagesCode(pages, result, writer)] as const]),
  ];
}

function pagesCode(
  { expose, ...pages }: HttpPagesModel,
  { from = "" }: HttpBodyModel["result"],
  writer: ValueWriter,
): Code {
  const stated = { items: from, ...pages };
  if (expose !== true) return literalOf(stated);
  const entries = Object.entries(stated).map(([key, value]) => [key, literalOf(value)] as const);
  return objectOf([...entries, ["expose", objectOf([[CURSOR, writer.identifier(CURSOR)]])]]);
}

function contentEntries(content: HttpBodyModel["content"], writer: ValueWriter): Entry[] {
  if (content === undefined) return [];
  if ("values" in content) return [[content.kind, writer.object(content.values)]];
  return [[content.kind, writer.value(content.value)]];
}

/** The expression that returns the answer, or a part of it. A paginated request already answers with the items alone. */
function resultCode(
  item: ItemModel,
  { result, pages, strict }: HttpBodyModel,
  { options }: SelectionOption,
): Code {
  const { fields, headers } = result;
  const from = pages === undefined ? result.from : undefined;
  const part = {
    ...(from !== undefined && { from }),
    ...(fields !== undefined && { fields: [...fields] }),
  };
  if (item.kind !== "tool") {
    const mimeType = "mimeType" in item ? item.mimeType : undefined;
    return answerAs("answer.resource", { ...part, ...(mimeType !== undefined && { mimeType }) });
  }
  if (item.output === undefined) return answerAs("answer.content", part);
  const beside = {
    ...(headers !== undefined && { headers: { ...headers } }),
    ...(strict === true && { strict }),
  };
  return answerAs("answer.result", { ...part, ...beside }, options);
}

/** The JSON value of an answer, or of a part of it. Its numbers keep all digits. */
export function exactValueCode(from?: string, fields?: readonly string[]): Code {
  if (from === undefined && fields === undefined) return "answer.exact()";
  const picked = fields === undefined ? [] : [literalOf([...fields])];
  return callOf("answer.exact", [writeString(from ?? ""), ...picked]);
}

function answerAs(method: string, options: JsonObject, more: readonly Entry[] = []): Code {
  const entries = [
    ...Object.entries(options).map(([key, value]) => [key, literalOf(value)] as const),
    ...more,
  ];
  return callOf(method, entries.length === 0 ? [] : [objectOf(entries)]);
}

/** A path with its arguments in braces. */
export function pathInWords(parts: readonly PathPart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : `{${part.argument}}`)).join("");
}
