import { argumentsIn, argumentsOf } from "../../3-normalize/bodies/values.js";
import type { HttpBodyModel, PathPart } from "../../model/bodies.js";
import type { ToolModel } from "../../model/server-model.js";
import {
  callOf,
  literalOf,
  movable,
  objectOf,
  onOneLine,
  sequenceOf,
  type Code,
} from "../../text/code.js";
import { writeString, writeTemplateText } from "../../text/literal.js";
import type { Entry } from "../modules/item-settings.js";
import { memberOf } from "../modules/structures.js";
import { bodyArguments } from "./arguments.js";
import type { BodyCode } from "./body-code.js";
import { ValueWriter } from "./values.js";

/** The request that an `http` body makes, and what it makes of the answer. */
export function httpCode(tool: ToolModel, body: HttpBodyModel): BodyCode {
  const used = argumentsOfBody(body);
  const writer = new ValueWriter(bodyArguments(tool, used));
  const names = [...new Set(used)].map((name) => [name, writer.identifier(name)] as const);
  const request = requestCode(body, writer);
  const checks = body.errors.map(({ status, text }) => {
    writer.imports.add("ToolError");
    const error = callOf("new ToolError", [writer.text(text)]);
    const thrown = movable(sequenceOf(["throw ", error]));
    return sequenceOf([`if (answer.status === ${status}) `, thrown, ";"]);
  });
  return {
    imports: [...writer.imports],
    docs: `${body.method} ${pathInWords(body.path)} of the upstream \`${body.upstream}\`.`,
    parameter: names.length === 0 ? "_input" : objectOf(names),
    statements: [
      sequenceOf(["const answer = await ", request, ";"]),
      ...checks,
      sequenceOf(["return ", resultCode(tool, body), ";"]),
    ],
  };
}

/** The arguments that a body uses, each as often as it does. */
function argumentsOfBody(body: HttpBodyModel): string[] {
  const { path, query, headers, cookies, content, errors } = body;
  const values = [...query, ...headers, ...cookies].map(([, value]) => value);
  const sent =
    content === undefined
      ? []
      : content.kind === "form"
        ? content.values.map(([, value]) => value)
        : [content.value];
  return [
    ...path.flatMap((part) => (typeof part === "string" ? [] : [part.argument])),
    ...[...values, ...sent].flatMap(argumentsOf),
    ...errors.flatMap(({ text }) => argumentsIn(text)),
  ];
}

function requestCode(body: HttpBodyModel, writer: ValueWriter): Code {
  const upstream = memberOf("ctx.upstreams", body.upstream);
  const path = pathCode(body.path, writer);
  const options = optionEntries(body, writer);
  const rest = options.length === 0 ? [] : [objectOf(options)];
  return body.method === "OPTIONS"
    ? callOf(`${upstream}.request`, ['"OPTIONS"', path, ...rest])
    : callOf(`${upstream}.${body.method.toLowerCase()}`, [path, ...rest]);
}

function pathCode(parts: readonly PathPart[], writer: ValueWriter): string {
  if (parts.every((part) => typeof part === "string")) return writeString(parts.join(""));
  writer.imports.add("path");
  const texts = parts.map((part) =>
    typeof part === "string" ? writeTemplateText(part) : `\${${onOneLine(writer.argument(part))}}`,
  );
  return `path\`${texts.join("")}\``;
}

function optionEntries(body: HttpBodyModel, writer: ValueWriter): Entry[] {
  const { query, headers, cookies, content, result, pages } = body;
  const named = { query, headers, cookies };
  return [
    ...Object.entries(named).flatMap(([key, values]): Entry[] =>
      values.length === 0 ? [] : [[key, writer.object(values)]],
    ),
    ...contentEntries(content, writer),
    ...(result.maxBytes === undefined ? [] : [["maxBytes", literalOf(result.maxBytes)] as const]),
    ...(result.truncate === true ? [["truncate", "true"] as const] : []),
    ...(pages === undefined
      ? []
      : [["pages", literalOf({ items: result.from ?? "", ...pages })] as const]),
  ];
}

function contentEntries(content: HttpBodyModel["content"], writer: ValueWriter): Entry[] {
  if (content === undefined) return [];
  if (content.kind === "form") return [["form", writer.object(content.values)]];
  return [[content.kind, writer.value(content.value)]];
}

/** The items of all pages are the answer of a paginated request. */
function resultCode(tool: ToolModel, { result, pages }: HttpBodyModel): Code {
  const { fields } = result;
  const from = pages === undefined ? result.from : undefined;
  if (tool.output === undefined) {
    const options = {
      ...(from !== undefined && { from }),
      ...(fields !== undefined && { fields: [...fields] }),
    };
    const isWhole = Object.keys(options).length === 0;
    return callOf("answer.content", isWhole ? [] : [literalOf(options)]);
  }
  if (from === undefined && fields === undefined) return "answer.json()";
  const picked = fields === undefined ? [] : [literalOf([...fields])];
  return callOf("answer.pick", [writeString(from ?? ""), ...picked]);
}

/** A path with its arguments in braces. */
export function pathInWords(parts: readonly PathPart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : `{${part.argument}}`)).join("");
}
