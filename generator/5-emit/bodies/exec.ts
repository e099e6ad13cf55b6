import { argumentsOf } from "../../bodies/values.js";
import type { CommandPart, ExecBodyModel } from "../../model/bodies.js";
import type { ItemModel } from "../../model/server-model.js";
import { callOf, listOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { programContract, programTools } from "../contract-tests/bodies/program-contracts.js";
import { HANDLER_PARAMETERS } from "../modules/handler-files.js";
import type { Entry } from "../modules/item-settings.js";
import { memberOf } from "../modules/structures.js";
import { code } from "../../text/markdown.js";
import { bodyArguments } from "./arguments.js";
import type { BodyCode } from "./body-code.js";
import type { BodyKind } from "./body-kind.js";
import { ValueWriter } from "./value-writer.js";

/** An `exec` body. */
export const execBody: BodyKind<ExecBodyModel> = {
  code: execCode,
  answerer: (body) => programInWords(body, code),
  sentence: (body) =>
    `It runs ${programInWords(body, code)}, without a shell.${trustInWords(body)}`,
  contracts: { name: "programs", items: programTools, contract: programContract },
};

function trustInWords({ trusted }: ExecBodyModel): string {
  if (trusted.length === 0) return "";
  return ` It gets any value that a caller sends in ${trusted.map(code).join(", ")}: the manifest trusts callers with all that the program can do with it.`;
}

/** The code of an `exec` body: it runs the program and turns the output into the result. */
function execCode(item: ItemModel, body: ExecBodyModel): BodyCode {
  const used = argumentsOfCommand(body);
  const writer = new ValueWriter(bodyArguments(item, used), item.identifier);
  const names = used.map((name) => [name, writer.identifier(name)] as const);
  const command = listOf(body.command.map((part) => partCode(part, writer)));
  const options = optionEntries(body, writer);
  const call = callOf("await ctx.programs.run", [
    command,
    ...(options.length === 0 ? [] : [objectOf(options)]),
  ]);
  return {
    imports: [...writer.imports],
    docs: `Runs ${programInWords(body, (name) => `\`${name}\``)}.`,
    parameter: names.length === 0 ? `_${HANDLER_PARAMETERS[item.kind]}` : objectOf(names),
    statements: [sequenceOf(["const answer = ", call, ";"]), resultCode(item, body)],
  };
}

/**
 * The program that runs, or the argument whose value it is.
 *
 * @param mark marks names as code
 */
function programInWords(
  { command: [first] }: ExecBodyModel,
  mark: (name: string) => string,
): string {
  if (first?.kind === "argument") return `the program that ${mark(first.argument)} names`;
  return `the program ${mark(first?.kind === "literal" ? String(first.value) : "")}`;
}

/** The names of the arguments in command and stdin, without repetitions. */
function argumentsOfCommand({ command, stdin }: ExecBodyModel): string[] {
  const values = stdin === undefined ? command : [...command, stdin];
  return [...new Set(values.flatMap(argumentsOf))];
}

/** The code of one argument of the program. A part that is one conditional text becomes undefined if it is omitted. */
function partCode(part: CommandPart, writer: ValueWriter): Code {
  if (part.kind !== "text") return writer.value(part);
  const [condition, ...others] = part.text;
  if (others.length > 0 || typeof condition !== "object" || "argument" in condition) {
    return writer.value(part);
  }
  const [name, comparison] =
    "when" in condition ? [condition.when, "==="] : [condition.unless, "!=="];
  const identifier = writer.identifier(name);
  return sequenceOf([
    `${identifier} ${comparison} undefined ? undefined : `,
    writer.text(condition.then),
  ]);
}

function optionEntries(body: ExecBodyModel, writer: ValueWriter): Entry[] {
  const { cwd, env, stdin, timeoutMs, maxBytes, okStatus } = body;
  const limits = { timeoutMs, maxBytes, ...(okStatus && { okStatus: [...okStatus] }) };
  return [
    ...(cwd === undefined ? [] : [["cwd", settingCode(cwd)] as const]),
    ...(env.length === 0
      ? []
      : [["env", objectOf(env.map(([name, value]) => [name, settingCode(value)]))] as const]),
    ...(stdin === undefined ? [] : [["stdin", writer.value(stdin)] as const]),
    ...Object.entries(limits).flatMap(([name, value]): Entry[] =>
      value === undefined ? [] : [[name, literalOf(value)]],
    ),
  ];
}

function settingCode(setting: string | { readonly env: string }): Code {
  return typeof setting === "string" ? writeString(setting) : memberOf("ctx.env", setting.env);
}

function resultCode(item: ItemModel, { output, strict }: ExecBodyModel): Code {
  if (item.kind === "tool" && item.output !== undefined) {
    const options = { ...(output !== "json" && { output }), ...(strict === true && { strict }) };
    const hasOptions = Object.keys(options).length > 0;
    const result = callOf("answer.result", hasOptions ? [literalOf(options)] : []);
    return sequenceOf(["return ", result, ";"]);
  }
  if (output === "json") return "return answer.jsonText();";
  return output === "text" ? "return answer.text();" : "return JSON.stringify(answer.lines());";
}
