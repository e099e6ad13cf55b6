import type { SqlBodyModel } from "../../model/bodies.js";
import type { ItemModel, ToolModel } from "../../model/server-model.js";
import {
  callOf,
  listInLines,
  listOf,
  literalOf,
  objectOf,
  sequenceOf,
  type Code,
} from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { Entry } from "../modules/item-settings.js";
import { HANDLER_PARAMETERS } from "../modules/handler-files.js";
import { memberOf } from "../modules/structures.js";
import { bodyArguments } from "./arguments.js";
import type { BodyCode } from "./body-code.js";
import { statementCallerCode, statementCallerOptions } from "./caller-values.js";
import { selectionOption, type SelectionOption } from "./selection.js";

/** The code of an `sql` body: it runs the statement and turns the rows into the result. */
export function sqlCode(item: ItemModel, body: SqlBodyModel): BodyCode {
  const used = [...new Set(argumentsOfStatement(body))];
  const byName = bodyArguments(item, used, body.caller && ["caller"]);
  const values = used.map((name) => [name, byName.get(name)?.identifier ?? name] as const);
  const isTyped = item.kind === "tool" && item.output !== undefined;
  const query = queryStatement(isTyped ? body : { ...body, numbers: [] }, values);
  const selection = selectionOption(body.select, body.row ? "row" : "rows", [
    item.identifier,
    "answer",
    "ctx",
    ...values.map(([, local]) => local),
  ]);
  return {
    imports: [
      ...(body.caller === undefined ? [] : ["callerOf"]),
      ...(mayBeAbsent(item, body) ? ["NotFoundError"] : []),
    ],
    steps: selection.steps,
    docs: `${body.write ? "Changes" : "Reads"} the database \`${body.database}\`.`,
    parameter: values.length === 0 ? `_${HANDLER_PARAMETERS[item.kind]}` : objectOf(values),
    statements: [...statementCallerCode(body), query, ...resultCode(item, body, selection)],
  };
}

/**
 * The TypeScript statement that queries the database and waits for the answer.
 *
 * @param values the names of the bound arguments, without repetitions, each with its variable in the code
 */
export function queryStatement(body: SqlBodyModel, values: readonly Entry[]): Code {
  const { text, bound } = boundStatement(body);
  const query = `${memberOf("ctx.databases", body.database)}.query`;
  const call = callOf(query, [textCode(text), ...valuesAndOptions(body, bound, values)]);
  return sequenceOf(["const answer = await ", call, ";"]);
}

/** True if a missing row means that the resource does not exist. */
function mayBeAbsent({ kind }: ItemModel, { row }: SqlBodyModel): boolean {
  return kind !== "tool" && row;
}

function resultCode(item: ItemModel, body: SqlBodyModel, { options }: SelectionOption): Code[] {
  if (item.kind === "tool") return [sequenceOf(["return ", toolResult(item, body, options), ";"])];
  return [
    ...(mayBeAbsent(item, body) ? ["if (answer.row() === null) throw new NotFoundError();"] : []),
    `return JSON.stringify(answer.${body.row ? "row" : "rows"}());`,
  ];
}

/** The arguments of a statement, with repetitions. */
export function argumentsOfStatement({ statement }: SqlBodyModel): string[] {
  return statement.flatMap((part) => (typeof part === "string" ? [] : [part.argument]));
}

/** A statement with the placeholders of its database (`$1` or `:name`), and the arguments of numbered placeholders. */
export interface BoundStatement {
  readonly text: string;
  readonly bound: readonly string[];
}

/**
 * The statement as its database gets it. In Postgres, an argument has a placeholder for each type that is stated, since
 * Postgres finds the type of any other placeholder from its place, which may be a third.
 */
export function boundStatement({ statement, dialect }: SqlBodyModel): BoundStatement {
  const placeholders = new Map<string, string>();
  const parts = statement.map((part) => {
    if (typeof part === "string") return part;
    const { argument, type } = part;
    if (dialect === "sqlite") return `:${argument}`;
    const cast = type === undefined ? "" : `::${type}`;
    const key = `${argument}${cast}`;
    placeholders.set(key, argument);
    return `$${[...placeholders.keys()].indexOf(key) + 1}${cast}`;
  });
  return { text: parts.join(""), bound: [...placeholders.values()] };
}

/** The text of a statement, in the same lines as in the manifest. */
function textCode(text: string): Code {
  const lines = text.split("\n");
  if (lines.length === 1) return writeString(text);
  return sequenceOf([listInLines(lines.map(writeString)), '.join("\\n")']);
}

function valuesAndOptions(
  body: SqlBodyModel,
  bound: readonly string[],
  values: readonly Entry[],
): Code[] {
  const { dialect, maxRows, maxBytes, row, write, numbers } = body;
  const rowLimit = row ? 1 : maxRows;
  const fixed = {
    ...(rowLimit !== undefined && { maxRows: rowLimit }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(write && { write }),
    ...(numbers.length > 0 && { numbers: [...numbers] }),
  };
  const options = [
    ...Object.entries(fixed).map(([name, value]): Entry => [name, literalOf(value)]),
    ...statementCallerOptions(body),
  ];
  if (values.length === 0 && options.length === 0) return [];
  const byName = new Map(values);
  const list = listOf(bound.map((name) => byName.get(name) ?? name));
  return [
    dialect === "postgres" ? list : objectOf(values),
    ...(options.length > 0 ? [objectOf(options)] : []),
  ];
}

function toolResult(
  { output }: ToolModel,
  { row, strict }: SqlBodyModel,
  selection: readonly Entry[],
): Code {
  if (output === undefined) return callOf(`answer.${row ? "rowContent" : "content"}`, []);
  const options: Entry[] = [
    ...(row ? [["row", "true"] as const] : []),
    ...(strict === true ? [["strict", "true"] as const] : []),
    ...selection,
  ];
  return callOf("answer.result", options.length === 0 ? [] : [objectOf(options)]);
}
