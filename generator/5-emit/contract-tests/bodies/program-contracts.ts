import type {
  ExpectedRun,
  ProgramCase,
  ProgramContract,
} from "../../../../templates/runtime/suite/items/programs.js";
import { argumentsOf } from "../../../bodies/values.js";
import type { BodyValue, ExecBodyModel } from "../../../model/bodies.js";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { runsProgram } from "../../bodies/body-items.js";
import { schemaMock, validArguments } from "../schema-instances.js";
import { itemSettings } from "../server-contract.js";
import {
  exampleContract,
  exampleMatchers,
  receivedArguments,
  stubAnswer,
} from "../tool-contracts.js";
import { settingInTests } from "./expected-request.js";
import { expectedValue, valueText } from "./expected-value.js";
import { textSchema } from "./text-arguments.js";
import { unfitAnswers } from "./unfit-answers.js";

/** The tools that tests call with a stand-in for their program. */
export function programTools({ tools }: ServerModel): readonly ToolModel[] {
  return tools.filter(runsProgram);
}

/** The contract of a tool that runs a program. */
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
  const fromExamples = exampleCases(tool, { body, model });
  const successes = fromExamples.length > 0 ? fromExamples : generatedCall(tool, body, model);
  const [first] = successes;
  if (first === undefined) return [];
  return [
    ...successes,
    ...hostileCases(first, tool, body, model),
    ...unfitCases(first, tool, body, model),
  ];
}

/** The case of an output that breaks the output schema. */
function unfitCases(
  { arguments: values }: ProgramCase,
  tool: ToolModel,
  body: ExecBodyModel,
  model: ServerModel,
): ProgramCase[] {
  const status = body.okStatus?.[0] ?? 0;
  const isAnswer = (value: JsonValue): boolean => printed(body, value) !== undefined;
  return unfitAnswers(tool, body, model, isAnswer).map(({ answer, ...outcome }) => ({
    ...outcome,
    arguments: values,
    program: { stdout: printed(body, answer) ?? "", status },
  }));
}

/** The output that a body turns into this value; undefined if there is none. */
function printed({ output }: ExecBodyModel, value: JsonValue): string | undefined {
  if (output === "json") return JSON.stringify(value);
  if (output === "text") return typeof value === "string" ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const areLines = value.every((line) => typeof line === "string" && !/[\r\n]/.test(line));
  return areLines ? value.map((line) => `${String(line)}\n`).join("") : undefined;
}

/**
 * The cases of the examples that give the program's output.
 *
 * @param source where the expected command comes from; undefined for a handler, whose command is unknown
 */
function exampleCases(
  tool: ToolModel,
  source: { readonly body: ExecBodyModel; readonly model: ServerModel } | undefined,
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
        ...(source && { run: expectedRun(source.body, received, source.model) }),
        result: exampleContract(tool, example).answer,
        ...exampleMatchers(tool, example),
      },
    ];
  });
}

/** A call and an output that are generated from the schemas; none if no such values could be generated. */
function generatedCall(tool: ToolModel, body: ExecBodyModel, model: ServerModel): ProgramCase[] {
  const values = validArguments(model, tool);
  const stdout = sampleOutput(tool, body, model);
  if (values === undefined || stdout === undefined || JSON.stringify(values).includes("\\u0000")) {
    return [];
  }
  return [
    {
      name: "a call made from the schema",
      arguments: values,
      program: { stdout, status: body.okStatus?.[0] ?? 0 },
      run: expectedRun(body, receivedArguments(tool, values), model),
    },
  ];
}

function sampleOutput(
  { output }: ToolModel,
  { output: kind }: ExecBodyModel,
  model: ServerModel,
): string | undefined {
  if (output === undefined) return kind === "json" ? '{"ok":true}' : "ok\n";
  const mock = schemaMock(model, output.wire);
  if (mock === undefined) return undefined;
  if (kind === "json") return JSON.stringify(mock);
  return Array.isArray(mock) ? mock.map((line) => `${String(line)}\n`).join("") : String(mock);
}

/** The program run of a body for these arguments. Computed from the model, so that it checks the generated code. */
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
    stdin: stdin === undefined ? "" : valueText(expectedValue(stdin, values) ?? ""),
  };
}

function argumentTexts(part: BodyValue, values: JsonObject): string[] {
  const value = expectedValue(part, values);
  if (value === undefined || value === null || isOmitted(part, values)) return [];
  return (Array.isArray(value) ? value : [value]).filter((item) => item !== null).map(valueText);
}

/** True if a part is one conditional text whose condition does not hold for these arguments. */
function isOmitted(part: BodyValue, values: JsonObject): boolean {
  if (part.kind !== "text" || part.text.length !== 1) return false;
  const [condition] = part.text;
  if (typeof condition !== "object" || "argument" in condition) return false;
  return "when" in condition
    ? values[condition.when] === undefined
    : values[condition.unless] !== undefined;
}

/** Texts that a shell would execute, and that have several words and lines; the shorter one where the other is too long. */
const HOSTILE_TEXTS = ["; touch hostile\n$(touch hostile) '\"\\", "$(touch hostile)"];

/** For each argument that takes such a text: a call with a hostile text, which the program must get unchanged. */
function hostileCases(
  { arguments: values }: ProgramCase,
  tool: ToolModel,
  body: ExecBodyModel,
  model: ServerModel,
): ProgramCase[] {
  const stdout = sampleOutput(tool, body, model);
  if (stdout === undefined) return [];
  const program = { stdout, status: body.okStatus?.[0] ?? 0 };
  const received = receivedArguments(tool, values);
  const inCommand = [...new Set(body.command.flatMap(argumentsOf))];
  return inCommand.flatMap((name) => {
    const text = HOSTILE_TEXTS.find((hostile) => takesText(tool, received, name, hostile));
    if (text === undefined) return [];
    const run = expectedRun(body, { ...received, [name]: text }, model);
    return [
      {
        ...{ name: `${name} is one argument: ${text}`, program, run },
        arguments: { ...values, [name]: text },
      },
    ];
  });
}

/** True if an argument takes this text, as its schema has no rules except for its length. */
function takesText(tool: ToolModel, values: JsonObject, name: string, text: string): boolean {
  const schema = textSchema(tool, values, name);
  if (schema === undefined) return false;
  const { minLength = 0, maxLength = Infinity } = schema;
  return text.length >= minLength && text.length <= maxLength;
}
