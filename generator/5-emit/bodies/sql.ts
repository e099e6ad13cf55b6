import type { SqlBodyModel } from "../../model/bodies.js";
import type { ToolModel } from "../../model/server-model.js";
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
import type { BodilyItem } from "./body-items.js";

/** The code of an `sql` body: it runs the statement and turns the rows into the result. */
export function sqlCode(item: BodilyItem, body: SqlBodyModel): BodyCode {
  const used = [...new Set(argumentsOfStatement(body))];
  const byName = bodyArguments(item, used);
  const named = used.map((name) => [name, byName.get(name)?.identifier ?? name] as const);
  const isTyped = item.kind === "tool" && item.output !== undefined;
  const query = queryStatement(isTyped ? body : { ...body, numbers: [] }, used, named);
  return {
    imports: mayBeAbsent(item, body) ? ["NotFoundError"] : [],
    docs: `${body.write ? "Changes" : "Reads"} the database \`${body.database}\`.`,
    parameter: named.length === 0 ? `_${HANDLER_PARAMETERS[item.kind]}` : objectOf(named),
    statements: [query, ...resultCode(item, body)],
  };
}

/**
 * The TypeScript statement that asks the database and waits for the answer.
 * @param used The bound arguments, each once.
 * @param named The same, with their names in the code.
 */
export function queryStatement(
  body: SqlBodyModel,
  used: readonly string[],
  named: readonly Entry[],
): Code {
  const query = `${memberOf("ctx.databases", body.database)}.query`;
  const call = callOf(query, [statementCode(body, used), ...valuesAndOptions(body, named)]);
  return sequenceOf(["const answer = await ", call, ";"]);
}

/** Whether a missing row means that there is no such resource. */
function mayBeAbsent({ kind }: BodilyItem, { row }: SqlBodyModel): boolean {
  return kind !== "tool" && row;
}

function resultCode(item: BodilyItem, body: SqlBodyModel): string[] {
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

/** The text with the placeholders of its database (`$1` or `:name`), in the lines of the manifest. */
function statementCode({ statement, dialect }: SqlBodyModel, used: readonly string[]): Code {
  const place = (name: string): string =>
    dialect === "postgres" ? `$${used.indexOf(name) + 1}` : `:${name}`;
  const parts = statement.map((part) => (typeof part === "string" ? part : place(part.argument)));
  const lines = parts.join("").split("\n");
  if (lines.length === 1) return writeString(parts.join(""));
  return sequenceOf([listInLines(lines.map(writeString)), '.join("\\n")']);
}

function valuesAndOptions(
  { dialect, maxRows, row, write, numbers }: SqlBodyModel,
  named: readonly Entry[],
): Code[] {
  const most = row ? 1 : maxRows;
  const options = {
    ...(most !== undefined && { maxRows: most }),
    ...(write && { write }),
    ...(numbers.length > 0 && { numbers: [...numbers] }),
  };
  const hasOptions = Object.keys(options).length > 0;
  if (named.length === 0 && !hasOptions) return [];
  const isList = dialect === "postgres";
  const values = isList ? listOf(named.map(([, identifier]) => identifier)) : objectOf(named);
  return [values, ...(hasOptions ? [literalOf(options)] : [])];
}

function resultMethod({ output }: ToolModel, { row }: SqlBodyModel): string {
  if (output === undefined) return row ? "rowContent" : "content";
  return row ? "row" : "rows";
}
