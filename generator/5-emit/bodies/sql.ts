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

/** The code of an `sql` body: it runs the statement and turns the rows into the result. */
export function sqlCode(item: ItemModel, body: SqlBodyModel): BodyCode {
  const used = [...new Set(argumentsOfStatement(body))];
  const byName = bodyArguments(item, used);
  const values = used.map((name) => [name, byName.get(name)?.identifier ?? name] as const);
  const isTyped = item.kind === "tool" && item.output !== undefined;
  const query = queryStatement(isTyped ? body : { ...body, numbers: [] }, used, values);
  return {
    imports: mayBeAbsent(item, body) ? ["NotFoundError"] : [],
    docs: `${body.write ? "Changes" : "Reads"} the database \`${body.database}\`.`,
    parameter: values.length === 0 ? `_${HANDLER_PARAMETERS[item.kind]}` : objectOf(values),
    statements: [query, ...resultCode(item, body)],
  };
}

/**
 * The TypeScript statement that queries the database and waits for the answer.
 *
 * @param used names of the bound arguments, without repetitions
 * @param values the same arguments, each with its variable in the code
 */
export function queryStatement(
  body: SqlBodyModel,
  used: readonly string[],
  values: readonly Entry[],
): Code {
  const query = `${memberOf("ctx.databases", body.database)}.query`;
  const call = callOf(query, [statementCode(body, used), ...valuesAndOptions(body, values)]);
  return sequenceOf(["const answer = await ", call, ";"]);
}

/** True if a missing row means that the resource does not exist. */
function mayBeAbsent({ kind }: ItemModel, { row }: SqlBodyModel): boolean {
  return kind !== "tool" && row;
}

function resultCode(item: ItemModel, body: SqlBodyModel): string[] {
  if (item.kind === "tool") return [`return answer.${resultMethod(item, body)}();`];
  return [
    ...(mayBeAbsent(item, body) ? ["if (answer.row() === null) throw new NotFoundError();"] : []),
    `return JSON.stringify(answer.${body.row ? "row" : "rows"}());`,
  ];
}

/** The arguments of a statement, with repetitions. */
export function argumentsOfStatement({ statement }: SqlBodyModel): string[] {
  return statement.flatMap((part) => (typeof part === "string" ? [] : [part.argument]));
}

/** The statement with the placeholders of its database (`$1` or `:name`), in the same lines as in the manifest. */
function statementCode({ statement, dialect }: SqlBodyModel, used: readonly string[]): Code {
  const placeholder = (name: string): string =>
    dialect === "postgres" ? `$${used.indexOf(name) + 1}` : `:${name}`;
  const parts = statement.map((part) =>
    typeof part === "string" ? part : placeholder(part.argument),
  );
  const lines = parts.join("").split("\n");
  if (lines.length === 1) return writeString(parts.join(""));
  return sequenceOf([listInLines(lines.map(writeString)), '.join("\\n")']);
}

function valuesAndOptions(
  { dialect, maxRows, maxBytes, row, write, numbers }: SqlBodyModel,
  values: readonly Entry[],
): Code[] {
  const rowLimit = row ? 1 : maxRows;
  const options = {
    ...(rowLimit !== undefined && { maxRows: rowLimit }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(write && { write }),
    ...(numbers.length > 0 && { numbers: [...numbers] }),
  };
  const hasOptions = Object.keys(options).length > 0;
  if (values.length === 0 && !hasOptions) return [];
  const isList = dialect === "postgres";
  const bound = isList ? listOf(values.map(([, identifier]) => identifier)) : objectOf(values);
  return [bound, ...(hasOptions ? [literalOf(options)] : [])];
}

function resultMethod({ output }: ToolModel, { row }: SqlBodyModel): string {
  if (output === undefined) return row ? "rowContent" : "content";
  return row ? "row" : "rows";
}
