import type {
  ExpectedRun,
  ProgramCase,
  ProgramContract,
} from "../../../../templates/runtime/suite/items/programs.js";
import { argumentsOf } from "../../../3-normalize/bodies/values.js";
import type { BodyValue, ExecBodyModel } from "../../../model/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { runsProgram } from "../../bodies/body-items.js";
import { expectedText } from "../expected-text.js";
import { schemaInstances, schemaMock } from "../schema-instances.js";
import { itemSettings } from "../server-contract.js";
import { exampleContract, receivedArguments, stubAnswer } from "../tool-contracts.js";
import { settingInTests } from "./expected-request.js";

/** The tools that tests call with a program that stands in for theirs. */
export function programTools({ tools }: ServerModel): readonly ToolModel[] {
  return tools.filter(runsProgram);
}

/** What is tested of a tool that runs a program. */
export function programContract(tool: ToolModel, model: ServerModel): ProgramContract {
  const { behaviour, name } = tool;
  return {
    name,
    ...itemSettings(tool),
    ...(behaviour.kind === "handler" && { stub: stubAnswer(tool) }),
    cases:
      behaviour.kind === "exec" ? bodyCases(tool, behaviour, model) : exampleCases(tool, undefined),
  };
}

function bodyCases(tool: ToolModel, body: ExecBodyModel, model: ServerModel): ProgramCase[] {
  const shown = exampleCases(tool, { body, model });
  const usual = shown.length > 0 ? shown : madeUpCall(tool, body, model);
  const [first] = usual;
  if (first === undefined) return [];
  return [...usual, ...failures(first, tool, body), ...hostileCases(first, tool, body, model)];
}

/** The examples that say what the program prints. Of a handler, nothing is known of what it runs. */
function exampleCases(
  tool: ToolModel,
  known: { readonly body: ExecBodyModel; readonly model: ServerModel } | undefined,
): ProgramCase[] {
  return tool.examples.flatMap((example): ProgramCase[] => {
    const { exec, name, arguments: values } = example;
    if (exec === undefined) return [];
    const received = receivedArguments(tool, values);
    return [
      {
        name,
        arguments: values,
        program: { ...exec },
        ...(known && { run: expectedRun(known.body, received, known.model) }),
        result: exampleContract(tool, example).answer,
      },
    ];
  });
}

/** A call and an output that are made from the schemas; none where the schema allows no call that is known. */
function madeUpCall(tool: ToolModel, body: ExecBodyModel, model: ServerModel): ProgramCase[] {
  const values = schemaInstances(model, tool.input.wire).valid.filter(isJsonObject)[0];
  const made = madeUpOutput(tool, body, model);
  if (values === undefined || made === undefined || JSON.stringify(values).includes("\\u0000")) {
    return [];
  }
  return [
    {
      name: "a call made from the schema",
      arguments: values,
      program: { stdout: made, status: body.okStatus?.[0] ?? 0 },
      run: expectedRun(body, receivedArguments(tool, values), model),
    },
  ];
}

function madeUpOutput(
  { output }: ToolModel,
  { output: kind }: ExecBodyModel,
  model: ServerModel,
): string | undefined {
  if (output === undefined) return kind === "json" ? '{"ok":true}' : "ok\n";
  const made = schemaMock(model, output.wire);
  if (made === undefined) return undefined;
  if (kind === "json") return JSON.stringify(made);
  return Array.isArray(made) ? made.map((line) => `${String(line)}\n`).join("") : String(made);
}

/** What a body runs for these arguments, read from the model a second time to check the code made from it. */
function expectedRun(body: ExecBodyModel, values: JsonObject, model: ServerModel): ExpectedRun {
  const { command, cwd, env, stdin } = body;
  const folder = cwd === undefined ? undefined : settingInTests(cwd, model.env);
  const variables = env.flatMap(([name, setting]) => {
    const text = settingInTests(setting, model.env);
    return text === undefined ? [] : [[name, text] as const];
  });
  return {
    command: command.flatMap((part) => argumentTexts(part, values)),
    cwd: folder ?? ".",
    env: Object.fromEntries(variables),
    stdin: stdin === undefined ? "" : asText(valueOf(stdin, values) ?? ""),
  };
}

function argumentTexts(part: BodyValue, values: JsonObject): string[] {
  const value = valueOf(part, values);
  if (value === undefined || value === null || isLeftOut(part, values)) return [];
  return (Array.isArray(value) ? value : [value]).filter((item) => item !== null).map(asText);
}

/** Whether a part is only there for some values, and not for these. */
function isLeftOut(part: BodyValue, values: JsonObject): boolean {
  if (part.kind !== "text" || part.text.length !== 1) return false;
  const [only] = part.text;
  if (typeof only !== "object" || "argument" in only) return false;
  return "when" in only ? values[only.when] === undefined : values[only.unless] !== undefined;
}

function valueOf(value: BodyValue, values: JsonObject): JsonValue | undefined {
  if (value.kind === "argument") return values[value.argument];
  if (value.kind === "text") return expectedText(value.text, values);
  return value.kind === "literal" ? value.value : undefined;
}

function asText(value: JsonValue): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Programs that fail, do not end, or print too much. */
function failures(first: ProgramCase, tool: ToolModel, body: ExecBodyModel): ProgramCase[] {
  const [program] = first.run?.command ?? [];
  const { okStatus = [0] } = body;
  const status = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((one) => !okStatus.includes(one));
  const failed = (name: string, run: ProgramCase["program"], error: string): ProgramCase => ({
    ...{ name, arguments: first.arguments, program: run, error },
  });
  const refused = `The program ${program} ended with status ${status}: oops`;
  return [
    ...(status === undefined
      ? []
      : [failed(`status ${status}`, { status, stderr: "oops" }, refused)]),
    failed("no end", { isEndless: true }, `The program ${program} did not end within`),
    ...tooLongOutput(first, tool, body),
  ];
}

/** What is cut is said, or is an error where it was JSON. A schema of the output may refuse what is cut. */
function tooLongOutput(
  { arguments: values, run }: ProgramCase,
  { output: schema }: ToolModel,
  { maxBytes = USUAL_MAX_BYTES, output }: ExecBodyModel,
): ProgramCase[] {
  if (maxBytes > MOST_TESTED_BYTES || (schema !== undefined && output !== "json")) return [];
  const error = `The program ${run?.command[0]} printed more than ${maxBytes} bytes.`;
  const outcome = output === "json" ? { error } : { notice: `[cut after ${maxBytes} bytes]` };
  const program = { bytes: maxBytes + 1 };
  return [{ name: "too long an output", arguments: values, program, ...outcome }];
}

/** The longest output where the body does not say it, in bytes: the runtime's own. */
const USUAL_MAX_BYTES = 1_048_576;

/** Longer outputs take tests too long. */
const MOST_TESTED_BYTES = 8_388_608;

/** Texts that a shell would run, that look like options, and that are several words or lines. */
const HOSTILE_TEXTS = [
  ...["$(touch hostile)", "`touch hostile`", "; touch hostile", "| touch hostile", "&& exit 9"],
  ...["--help", "-rf", "--", "two words\nand a line", "'\"\\", "*", "~", "$HOME", "> hostile"],
];

/** Each argument that may be any text: it comes as it is, and no text with NUL does. */
function hostileCases(
  { arguments: values }: ProgramCase,
  tool: ToolModel,
  body: ExecBodyModel,
  model: ServerModel,
): ProgramCase[] {
  const stdout = madeUpOutput(tool, body, model);
  if (stdout === undefined) return [];
  const program = { stdout, status: body.okStatus?.[0] ?? 0 };
  const received = receivedArguments(tool, values);
  const inCommand = [...new Set(body.command.flatMap(argumentsOf))];
  return inCommand.flatMap((name) => {
    const texts = HOSTILE_TEXTS.filter((text) => takesText(tool, received, name, text));
    if (texts.length === 0) return [];
    return [
      ...texts.map((text) => ({
        name: `${name} is one argument: ${text}`,
        arguments: { ...values, [name]: text },
        program,
        run: expectedRun(body, { ...received, [name]: text }, model),
      })),
      {
        name: `${name} with NUL`,
        arguments: { ...values, [name]: "a\0b" },
        program,
        error: `An argument of the program ${expectedRun(body, received, model).command[0]} has`,
      },
    ];
  });
}

/** Whether an argument plainly may be a text: one without rules but for its length. */
function takesText({ input }: ToolModel, values: JsonObject, name: string, text: string): boolean {
  const properties = isJsonObject(input.wire) ? input.wire["properties"] : undefined;
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  if (!isJsonObject(schema) || typeof (values[name] ?? "") !== "string") return false;
  const { type, minLength = 0, maxLength = Infinity, ...rules } = schema;
  const harmless = ["title", "description", "default", "examples"];
  const isFree = type === "string" && Object.keys(rules).every((rule) => harmless.includes(rule));
  return isFree && text.length >= Number(minLength) && text.length <= Number(maxLength);
}
