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
  ExampleContract,
  ToolContract,
} from "../../../templates/runtime/suite/contract.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import type { Defaults } from "../../schema/defaults/defaults.js";
import type { Instances } from "../../schema/instances/make-instances.js";
import { asksDatabase, hasCode, isPlayed, runsProgram } from "../bodies/body-items.js";
import { handlerPath } from "../modules/handler-files.js";
import { isBeyondLimits } from "./argument-limits.js";
import { expectedBlock } from "./expected-text.js";
import { itemSettings } from "./server-contract.js";
import { wrongArguments, wrongResult } from "./refused-values.js";
import { schemaInstances, schemaMock } from "./schema-instances.js";

/** What the contract of a tool says of one of its schemas. */
interface SchemaCases {
  /** Values that the schema allows; of an input schema, its objects. */
  readonly accepted: readonly JsonValue[];
  readonly refused: readonly BreakingValue[];
  readonly leftOut: Instances["leftOut"];
}

/** What is tested of a tool. */
export function toolContract(tool: ToolModel, model: ServerModel): ToolContract {
  const { name, aliases, behaviour } = tool;
  const input = inputCases(model, tool.input.wire);
  const output = tool.output === undefined ? undefined : outputCases(model, tool.output.wire);
  const accepted = acceptedCalls(tool, input);
  const isLookedAt = (values: JsonValue): boolean => !isBeyondLimits(values, model);
  const tooMuch = accepted.map((call) => call.arguments).filter((one) => !isLookedAt(one));
  const untested = [...untestedPart("input", input), ...untestedPart("output", output)];
  const examples = tool.examples.map((example) => ({
    ...exampleContract(tool, example),
    ...exampleTest(tool, example, model),
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
    accepted: accepted.filter((call) => isLookedAt(call.arguments)),
    refused: input.refused.filter(({ value }) => isLookedAt(value)),
    ...(tooMuch.length > 0 && { tooMuch }),
    ...(output !== undefined && {
      output: { accepted: output.accepted, refused: output.refused },
    }),
    examples,
    ...(untested.length > 0 && { untested }),
  };
}

/** What a tool answers until its handler is written. */
export function stubAnswer(item: ItemModel): string {
  return `Not implemented yet: write it in ${handlerPath(item)}`;
}

/**
 * What is tested of an input schema. The protocol itself wants an object, so nothing else gets that far, and
 * the runtime refuses the name `__proto__` before.
 */
function inputCases(model: ServerModel, schema: JsonSchema): SchemaCases {
  const { valid, breaking, leftOut } = schemaInstances(model, schema);
  const mayHold = cachedJson(schema).includes(PROTOTYPE);
  const getsThrough = (value: JsonValue): boolean =>
    isJsonObject(value) && !(mayHold && cachedJson(value).includes(`${PROTOTYPE}:`));
  return {
    accepted: valid.filter(isJsonObject).filter(getsThrough),
    refused: breaking.filter(({ value }) => getsThrough(value)).map(wrongArguments),
    leftOut,
  };
}

/** As it stands in JSON, where no other text has it before a colon. */
const PROTOTYPE = '"__proto__"';

function outputCases(model: ServerModel, schema: JsonSchema): SchemaCases {
  const { valid, breaking, leftOut } = schemaInstances(model, schema);
  return { accepted: valid, refused: breaking.map(wrongResult), leftOut };
}

function isReadOnly({ wire }: ToolModel): boolean {
  const { annotations } = wire;
  return isJsonObject(annotations) && annotations["readOnlyHint"] === true;
}

function untestedPart(part: "input" | "output", cases: SchemaCases | undefined): string[] {
  const { leftOut = [] } = cases ?? {};
  return leftOut.map(({ constraint, reason }) => `${part} ${constraint}: ${reason}`);
}

/** Calls that the input schema allows: those of the examples that succeed, then some made from the schema. */
function acceptedCalls(tool: ToolModel, { accepted }: SchemaCases): AcceptedCall[] {
  const shown = tool.examples.filter(({ expect }) => expect.kind !== "error");
  const made = accepted.filter(isJsonObject);
  return [...shown.map((example) => example.arguments), ...made].map((values) => {
    const received = receivedArguments(tool, values);
    const answer = fixedAnswer(tool, received);
    const other = otherExamples(tool).find((call) => isDeepStrictEqual(call.received, received));
    return {
      arguments: values,
      ...(!haveSameJson(received, values) && { received }),
      ...(answer !== undefined && { answer }),
      ...(other !== undefined && { mock: exampleContract(tool, other.example).answer }),
    };
  });
}

/** What the handler of a tool gets for these arguments. */
export function receivedArguments({ input }: ToolModel, values: JsonObject): JsonObject {
  const defaults = defaultsOf(input);
  return defaults === undefined ? values : (withDefaults(values, defaults) as JsonObject);
}

const defaultsOf = onceForEach(({ wire }: SchemaModel) => collectDefaults(wire));

/** Arguments with the defaults filled in: the runtime's own rule, written a second time to check it. */
function withDefaults(value: JsonValue, { properties = {}, items }: Defaults): JsonValue {
  if (Array.isArray(value)) return items ? value.map((item) => withDefaults(item, items)) : value;
  if (!isJsonObject(value)) return value;
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(value, name));
  const entries = [...Object.entries(value), ...missing.map((name) => [name, undefined] as const)];
  return Object.fromEntries(
    entries.flatMap(([name, given]) => {
      const defaults = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
      const start = given === undefined ? defaults.value : given;
      return start === undefined ? [] : [[name, withDefaults(start, defaults)]];
    }),
  );
}

/** What a tool whose answer stands in the manifest says to these arguments. */
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
  const usual = usualExample(tool);
  if (usual !== undefined) return exampleContract(tool, usual).answer;
  const mock = tool.output && schemaMock(model, tool.output.wire);
  return mock === undefined ? undefined : { structuredContent: mock };
}

/** The example that a mock answers with where no other shows the call: the first that succeeds, else the first. */
export function usualExample({ examples }: ToolModel): ToolExample | undefined {
  return examples.find(({ expect }) => expect.kind !== "error") ?? examples[0];
}

/** The examples of other calls than the usual one, the first of each, with the arguments that a handler gets. */
export const otherExamples = onceForEach((tool: ToolModel): readonly ShownCall[] => {
  const usual = usualExample(tool);
  const examples = hasCode(tool) ? tool.examples : [];
  const calls = [...(usual === undefined ? [] : [usual]), ...examples].map((example) => ({
    example,
    received: receivedArguments(tool, example.arguments),
  }));
  const isFirst = ({ received }: ShownCall, index: number): boolean =>
    calls.findIndex((call) => isDeepStrictEqual(call.received, received)) === index;
  return calls.filter((call, index) => index > 0 && isFirst(call, index));
});

interface ShownCall {
  readonly example: ToolExample;
  readonly received: JsonObject;
}

/** What is tested of an example. */
export function exampleContract(
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

/** How far the test of an example goes. */
function exampleTest(
  tool: ToolModel,
  example: ToolExample,
  model: ServerModel,
): Pick<ExampleContract, "unsent" | "uncalled"> {
  if (isBeyondLimits(example.arguments, model)) {
    const unsent =
      "it is beyond the limits: raise `limits` in the manifest, or make the example smaller";
    return { unsent };
  }
  const uncalled = whyUncalled(tool);
  return uncalled === undefined ? {} : { uncalled };
}

/** Why no test calls the handler of a tool; undefined where the tests may. */
function whyUncalled(tool: ToolModel): string | undefined {
  if (isPlayed(tool)) return "no test sends a request to the upstream itself";
  if (asksDatabase(tool)) return "it is called with a database of the tests";
  if (runsProgram(tool)) return "it is called with a program that stands in for its own";
  if (tool.behaviour.kind === "mcp") return "no test sends a request to the other server itself";
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
