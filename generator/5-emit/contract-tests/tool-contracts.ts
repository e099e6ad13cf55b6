import { isDeepStrictEqual } from "node:util";
import {
  haveSameJson,
  isJsonObject,
  cachedJson,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import type {
  ItemModel,
  SchemaModel,
  ServerModel,
  ToolExample,
  ToolModel,
} from "../../model/server-model.js";
import type {
  AcceptedCall,
  BreakingValue,
  ConfirmContract,
  ExampleContract,
  ToolContract,
} from "../../../templates/runtime/suite/contract.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import type { Defaults } from "../../schema/defaults/defaults.js";
import type { Instances } from "../../schema/instances/make-instances.js";
import { asksDatabase, hasCode, asksUpstream, runsProgram } from "../bodies/body-items.js";
import { handlerPath } from "../modules/handler-files.js";
import { isBeyondLimits } from "./argument-limits.js";
import { expectedBlock, expectedText } from "./expected-text.js";
import { itemSettings } from "./server-contract.js";
import { wrongArguments, wrongResult } from "./refused-values.js";
import { resultMock, schemaInstances } from "./schema-instances.js";
import { untestedConstraints } from "./untested-constraints.js";

/** Values with which a schema is tested. */
interface SchemaCases {
  /** Values that the schema allows; for an input schema, objects only. */
  readonly accepted: readonly JsonValue[];
  readonly refused: readonly BreakingValue[];
  readonly leftOut: Instances["leftOut"];
}

/** The contract of a tool. */
export function toolContract(tool: ToolModel, model: ServerModel): ToolContract {
  const { name, aliases, behaviour } = tool;
  const input = inputCases(model, tool.input.wire);
  const output = tool.output === undefined ? undefined : outputCases(model, tool.output.wire);
  const accepted = acceptedCalls(tool, input);
  const isWithinLimits = (values: JsonValue): boolean => !isBeyondLimits(values, model);
  const tooMuch = accepted.map((call) => call.arguments).filter((value) => !isWithinLimits(value));
  const untested = [
    ...untestedConstraints("input", input.leftOut),
    ...untestedConstraints("output", output?.leftOut),
  ];
  const examples = tool.examples.map((example) => ({
    ...exampleContract(tool, example),
    ...exampleTest(tool, example, model),
    ...(isMockedError(tool, example) && { mocked: true as const }),
  }));
  const mock = mockAnswer(tool, model);
  return {
    name,
    ...itemSettings(tool),
    ...(aliases !== undefined && { aliases }),
    ...(behaviour.kind === "handler" && {
      stub: stubAnswer(tool),
    }),
    ...(hasCode(tool) && mock !== undefined && { mock }),
    ...(behaviour.kind === "fixed" && { fixed: true }),
    ...(tool.input.shown !== undefined && { inputSchema: tool.input.wire as JsonObject }),
    ...confirmContract(
      tool,
      accepted.find((call) => isWithinLimits(call.arguments)),
    ),
    accepted: accepted.filter((call) => isWithinLimits(call.arguments)),
    refused: takesNothing(tool) ? [] : input.refused.filter(({ value }) => isWithinLimits(value)),
    ...(tooMuch.length > 0 && { tooMuch }),
    ...(output !== undefined && {
      output: { accepted: output.accepted, refused: output.refused },
    }),
    examples,
    ...(untested.length > 0 && { untested }),
  };
}

/** The question to the user whether the tool may run; empty if nobody is asked, or no call is known. */
function confirmContract(
  { confirm }: ToolModel,
  call: AcceptedCall | undefined,
): { confirm?: ConfirmContract } {
  if (confirm === undefined || call === undefined) return {};
  const received = call.received ?? call.arguments;
  const values = Object.entries(received);
  const shown = values.map(([name, value]) => [name, JSON.stringify(value)] as const);
  // The runtime shortens long values and escapes unusual ones, which its own tests check.
  const isPlain = shown.every(([, text]) => /^[ -~]{0,100}$/.test(text));
  const message = isPlain && expectedText(confirm.message, Object.fromEntries(shown));
  return {
    confirm: { arguments: call.arguments, ...(typeof message === "string" && { message }) },
  };
}

/** The answer of an item whose handler is still a stub. */
export function stubAnswer(item: ItemModel): string {
  return `Not implemented yet: write it in ${handlerPath(item)}`;
}

/**
 * Values for an input schema, except those that never reach its validator: the protocol allows objects only,
 * and the runtime refuses the name `__proto__` first.
 */
function inputCases(model: ServerModel, schema: JsonSchema): SchemaCases {
  const { valid, breaking, leftOut } = schemaInstances(model, schema);
  const mayHavePrototype = cachedJson(schema).includes(PROTOTYPE);
  const reachesValidator = (value: JsonValue): boolean =>
    isJsonObject(value) && !(mayHavePrototype && cachedJson(value).includes(`${PROTOTYPE}:`));
  return {
    accepted: valid.filter(isJsonObject).filter(reachesValidator),
    refused: breaking.filter(({ value }) => reachesValidator(value)).map(wrongArguments),
    leftOut,
  };
}

/** The name in JSON. Followed by a colon, it can only be a key. */
const PROTOTYPE = '"__proto__"';

function outputCases(model: ServerModel, schema: JsonSchema): SchemaCases {
  const { valid, breaking, leftOut } = schemaInstances(model, schema);
  return { accepted: valid, refused: breaking.map(wrongResult), leftOut };
}

function isReadOnly({ wire }: ToolModel): boolean {
  const { annotations } = wire;
  return isJsonObject(annotations) && annotations["readOnlyHint"] === true;
}

/** Calls that the input schema allows: those of the examples that succeed, then generated ones. */
function acceptedCalls(tool: ToolModel, { accepted }: SchemaCases): AcceptedCall[] {
  const examples = tool.examples.filter(({ expect }) => expect.kind !== "error");
  const generated = accepted.filter(isJsonObject);
  const padded = takesNothing(tool) ? [PADDING] : [];
  return [...examples.map((example) => example.arguments), ...generated, ...padded].map(
    (values) => {
      const received = receivedArguments(tool, values);
      const answer = fixedAnswer(tool, received);
      const other = otherExamples(tool).find((call) => isDeepStrictEqual(call.received, received));
      return {
        arguments: values,
        ...(!haveSameJson(received, values) && { received }),
        ...(answer !== undefined && { answer }),
        ...(other !== undefined && { mock: exampleContract(tool, other.example).answer }),
      };
    },
  );
}

/** What some clients send to tools without arguments, since they have to send something. It is dropped. */
const PADDING: JsonObject = { random_string: "padding" };

/** Whether a tool has no arguments: whatever it gets is dropped. The runtime has this rule too; each checks the other. */
function takesNothing({ input: { wire } }: ToolModel): boolean {
  if (!isJsonObject(wire)) return false;
  const { type: _type, properties = {}, required = [], additionalProperties, ...others } = wire;
  const isEmpty = haveSameJson(properties, {}) && haveSameJson(required, []);
  if (!isEmpty || additionalProperties !== false) return false;
  return Object.keys(others).every((key) => UNCONSTRAINING.includes(key));
}

const UNCONSTRAINING = ["description", "title", "$schema"];

/** The arguments that the handler of a tool receives for these arguments: with defaults filled in. */
export function receivedArguments(tool: ToolModel, values: JsonObject): JsonObject {
  if (takesNothing(tool)) return {};
  const { input } = tool;
  const defaults = defaultsOf(input);
  return defaults === undefined ? values : (withDefaults(values, defaults) as JsonObject);
}

const defaultsOf = onceForEach(({ wire }: SchemaModel) => collectDefaults(wire));

/** Arguments with the defaults filled in. The runtime has this rule too; each checks the other. */
function withDefaults(value: JsonValue, { properties = {}, items }: Defaults): JsonValue {
  if (Array.isArray(value)) return items ? value.map((item) => withDefaults(item, items)) : value;
  if (!isJsonObject(value)) return value;
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(value, name));
  const entries = [...Object.entries(value), ...missing.map((name) => [name, undefined] as const)];
  return Object.fromEntries(
    entries.flatMap(([name, present]) => {
      const defaults = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
      const member = present === undefined ? defaults.value : present;
      return member === undefined ? [] : [[name, withDefaults(member, defaults)]];
    }),
  );
}

/** The answer to these arguments of a tool whose answer is in the manifest; undefined for other tools. */
function fixedAnswer({ behaviour }: ToolModel, received: JsonObject): JsonObject | undefined {
  if (behaviour.kind !== "fixed") return undefined;
  const { content, structuredContent, isError } = behaviour;
  return {
    ...(content.length > 0 && { content: content.map((block) => expectedBlock(block, received)) }),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError && { isError }),
  };
}

function mockAnswer(tool: ToolModel, model: ServerModel): JsonObject | undefined {
  const fallback = fallbackExample(tool);
  if (fallback !== undefined) return exampleContract(tool, fallback).answer;
  const mock = resultMock(model, tool);
  return mock === undefined ? undefined : { structuredContent: mock };
}

/** The example whose answer a mock gives to calls without an example of their own: the first that succeeds, or the first. */
export function fallbackExample({ examples }: ToolModel): ToolExample | undefined {
  return examples.find(({ expect }) => expect.kind !== "error") ?? examples[0];
}

/** The examples of calls other than the fallback's, one for each call, with the arguments that a handler receives. */
export const otherExamples = onceForEach((tool: ToolModel): readonly ExampleCall[] => {
  const fallback = fallbackExample(tool);
  const examples = hasCode(tool) ? tool.examples : [];
  const calls = [...(fallback === undefined ? [] : [fallback]), ...examples].map((example) => ({
    example,
    received: receivedArguments(tool, example.arguments),
  }));
  const isFirst = ({ received }: ExampleCall, index: number): boolean =>
    calls.findIndex((call) => isDeepStrictEqual(call.received, received)) === index;
  return calls.filter((call, index) => index > 0 && isFirst(call, index));
});

/** Whether a stub answers with the error of an example in mock mode. The answers of others stand beside accepted calls. */
function isMockedError(tool: ToolModel, example: ToolExample): boolean {
  return (
    example.expect.kind === "error" && otherExamples(tool).some((call) => call.example === example)
  );
}

interface ExampleCall {
  readonly example: ToolExample;
  readonly received: JsonObject;
}

/** The contract of an example. */
export function exampleContract(tool: ToolModel, example: ToolExample): ExampleContract {
  return { ...expectedAnswer(tool, example), ...exampleMatchers(tool, example) };
}

/** What holds for values of an answer that differ from call to call, by their pointers in the answer. */
export function exampleMatchers(
  { output }: ToolModel,
  { expect, matches = [] }: ToolExample,
): Pick<ExampleContract, "matches"> {
  if (matches.length === 0) return {};
  const isStructured = expect.kind === "result" && output !== undefined;
  const start = isStructured ? "/structuredContent" : "/content/0/text";
  return {
    matches: matches.map(({ pointer, ...rest }) => ({ at: `${start}${pointer}`, ...rest })),
  };
}

function expectedAnswer(
  { output }: ToolModel,
  { name, arguments: values, expect }: ToolExample,
): ExampleContract {
  switch (expect.kind) {
    case "text":
      return { name, arguments: values, answer: textAnswer(expect.text) };
    case "error":
      return { name, arguments: values, answer: { ...textAnswer(expect.error), isError: true } };
    case "result":
      return {
        name,
        arguments: values,
        answer:
          output === undefined
            ? contentAnswer(expect.result)
            : { structuredContent: expect.result },
      };
  }
}

/** Why the test of an example does not send or does not call; empty if it does both. */
function exampleTest(
  tool: ToolModel,
  example: ToolExample,
  model: ServerModel,
): Pick<ExampleContract, "whyNotSent" | "whyNotCalled"> {
  if (isBeyondLimits(example.arguments, model)) {
    const whyNotSent =
      "it is beyond the limits: raise `limits` in the manifest, or make the example smaller";
    return { whyNotSent };
  }
  const whyNotCalled = reasonNotToCall(tool, example);
  return whyNotCalled === undefined ? {} : { whyNotCalled };
}

/** Why the test of an example does not call the handler of its tool, or another does; undefined if it calls it. */
function reasonNotToCall(tool: ToolModel, { http, exec }: ToolExample): string | undefined {
  if (asksUpstream(tool)) {
    return http === undefined
      ? "no test sends a request to the upstream itself; say under `http` of the example what it answers"
      : "another test calls it with an upstream that stands in for its own";
  }
  if (asksDatabase(tool)) return "another test calls it with a database of the tests";
  if (runsProgram(tool)) {
    return exec === undefined
      ? "no test runs the program itself; say under `exec` of the example what it prints"
      : "another test calls it with a program that stands in for its own";
  }
  if (tool.behaviour.kind === "mcp") return "no test sends a request to the other server itself";
  if (tool.confirm !== undefined) return "its user must agree to each call";
  if (tool.task?.required === true) return "it runs only as a task";
  if (tool.behaviour.kind !== "fixed" && !isReadOnly(tool)) {
    return "the tool is not read-only; it is called once the manifest says `annotations: { readOnlyHint: true }`";
  }
  return tool.enabled === false
    ? "the tool is switched off; it is called where the manifest says `enabled: true`"
    : undefined;
}

function textAnswer(text: string): JsonObject {
  return { content: [{ type: "text", text }] };
}

/** The result of a tool without an output schema: a text, a content block, or a list of them. */
function contentAnswer(result: JsonValue): JsonObject {
  if (typeof result === "string") return textAnswer(result);
  return { content: Array.isArray(result) ? result : [result] };
}
