import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { interpret } from "../schema/interpret.js";
import { isJsonSchema, ownValue } from "../schema/json-schema.js";
import { sharedSchemas, type SharedSchemas } from "../schema/schema-reference.js";
import { envelopeOf, withEnvelope } from "../selection/envelope.js";
import type { Described } from "./applied-schemas.js";
import { shortAnswer, type Matchers } from "./changing-values.js";
import type { CallAnswer, RecordedCall } from "./recorder.js";
import { MASK, MASKED_NUMBER, Secrets } from "./secrets.js";

/** The examples that a recording adds to a manifest. */
export interface RecordedExamples {
  /** The new examples of each tool, by its index under `tools`. */
  readonly added: ReadonlyMap<number, readonly JsonObject[]>;
  /** Which calls become no example, and why, in words. */
  readonly skipped: readonly string[];
}

/** Most examples of a tool that come from recordings. */
const MOST_OF_TOOL = 3;
/** The longest example, in characters of JSON. */
const LONGEST_EXAMPLE = 16_384;

/** A tool of the manifest. */
interface Tool {
  readonly index: number;
  readonly value: JsonObject;
}

/** The calls of a recording without secrets. @param known the values of variables that are secret */
export function maskedCalls(
  calls: readonly RecordedCall[],
  manifest: JsonObject,
  known: readonly string[],
): RecordedCall[] {
  const shared = sharedSchemas(manifest);
  const secrets = new Secrets(shared, known);
  const tools = toolsByName(manifest);
  const parts = calls.map(({ answer, ...called }) => {
    const value = withEnvelope(tools.get(called.tool)?.value ?? {});
    const output = describedBy(value, "outputSchema");
    const call = { ...called, answer: unwrapped(answer, output, shared) };
    return { call, input: describedBy(value, "inputSchema"), output };
  });
  for (const { call, input, output } of parts) {
    secrets.learn(call.arguments, input);
    secrets.learn(call.answer.content ?? null);
    secrets.learn(call.answer.structuredContent ?? null, output);
  }
  return parts.map(({ call, input, output }) => {
    const { content, structuredContent, ...rest } = call.answer;
    return {
      tool: secrets.maskText(call.tool),
      arguments: secrets.mask(call.arguments, input) as JsonObject,
      answer: {
        ...rest,
        ...(content !== undefined && { content: secrets.mask(content) }),
        ...(structuredContent !== undefined && {
          structuredContent: secrets.mask(structuredContent, output),
        }),
      },
    };
  });
}

/**
 * An answer with the structured value that its schema describes. Clients of protocol versions before 2026-07-28 get one that is
 * no object as the member `result` of an object.
 */
function unwrapped(
  answer: CallAnswer,
  output: Described | undefined,
  shared: SharedSchemas,
): CallAnswer {
  const { structuredContent = null } = answer;
  const isWrapped = isJsonObject(structuredContent) && hasOnlyResult(structuredContent);
  if (!isWrapped || output === undefined) return answer;
  const { result = null } = structuredContent;
  const fits = (value: JsonValue): boolean =>
    interpret(value, output.schema, output.root, { shared }).length === 0;
  return !fits(structuredContent) && fits(result)
    ? { ...answer, structuredContent: result }
    : answer;
}

const hasOnlyResult = (value: JsonObject): boolean => Object.keys(value).join() === "result";

function describedBy(tool: JsonObject, key: string): Described | undefined {
  const schema = ownValue(tool, key);
  return isJsonSchema(schema) ? { schema, root: schema } : undefined;
}

/**
 * Chooses among recorded calls, and makes examples of them: of each tool a few that differ in what they are given or
 * how they end, shortened, with what holds for the values that change.
 *
 * @param calls without secrets
 * @param manifest a valid manifest
 * @param now when the calls were recorded, in milliseconds since 1970
 */
export function recordedExamples(
  calls: readonly RecordedCall[],
  manifest: JsonObject,
  now: number,
): RecordedExamples {
  const tools = toolsByName(manifest);
  const skipped: string[] = [];
  const byTool = new Map<Tool, RecordedCall[]>();
  for (const call of calls) {
    const tool = tools.get(call.tool);
    if (tool === undefined) skipped.push(`${call.tool}: the manifest has no tool of that name`);
    else byTool.set(tool, [...(byTool.get(tool) ?? []), call]);
  }
  const added = new Map<number, JsonObject[]>();
  for (const [tool, ofTool] of byTool) {
    const { examples, reasons } = examplesOf(tool, ofTool, manifest, now);
    if (examples.length > 0) added.set(tool.index, examples);
    skipped.push(...reasons.map((reason) => `${nameOf(tool)}: ${reason}`));
  }
  return { added, skipped: [...new Set(skipped)] };
}

const nameOf = ({ value }: Tool): string => String(value["name"]);

/** The tools of a manifest by their names and by those that clients may still use. */
function toolsByName(manifest: JsonObject): ReadonlyMap<string, Tool> {
  const list = Array.isArray(manifest["tools"]) ? manifest["tools"] : [];
  const tools = list.map((value, index) => ({ index, value: isJsonObject(value) ? value : {} }));
  const named = tools.flatMap((tool): [string, Tool][] => {
    const aliases = tool.value["aliases"] ?? [];
    return (Array.isArray(aliases) ? aliases : []).map((alias) => [String(alias), tool]);
  });
  return new Map([...named, ...tools.map((tool): [string, Tool] => [nameOf(tool), tool])]);
}

function examplesOf(
  tool: Tool,
  calls: readonly RecordedCall[],
  manifest: JsonObject,
  now: number,
): { readonly examples: JsonObject[]; readonly reasons: readonly string[] } {
  const present = tool.value["examples"] ?? [];
  const former = (Array.isArray(present) ? present : []).filter(isJsonObject);
  const names = new Set(former.map(({ name }, index) => name ?? `example ${index + 1}`));
  const examples: JsonObject[] = [];
  const reasons: string[] = [];
  const recorded = former.filter(({ name }) => RECORDED.test(String(name)));
  const forms = new Set(
    recorded.map((one) => formOf(one["arguments"] ?? {}, Object.hasOwn(one, "error"))),
  );
  for (const call of distinctCalls(calls)) {
    const others = calls.filter((one) => isSameCall(one, call) && one !== call);
    const made = exampleOf(tool, call, others, manifest, now);
    const given = withNumbers(call.arguments);
    const isKnown = former.some((one) => isDeepStrictEqual(one["arguments"] ?? {}, given));
    const form = formOf(call.arguments, call.answer.isError === true);
    if (isKnown) reasons.push("an example has the same arguments already");
    else if ("reason" in made) reasons.push(made.reason);
    else if (forms.has(form) || recorded.length + examples.length >= MOST_OF_TOOL) {
      reasons.push("further calls are like those that were chosen");
    } else {
      forms.add(form);
      examples.push({ name: freeName(call, names), ...made.example });
    }
  }
  return { examples, reasons };
}

/** The names that recorded examples get. */
const RECORDED = /^recorded (?:call|error)/;

/** What calls have in common of which one is enough: the names of their arguments, and how they end. */
function formOf(given: JsonValue, isError: boolean): string {
  return JSON.stringify([Object.keys(given ?? {}).sort(), isError]);
}

/** The calls with different arguments or another end, the first of each. */
function distinctCalls(calls: readonly RecordedCall[]): RecordedCall[] {
  return calls.filter((call, index) => calls.findIndex((one) => isSameCall(one, call)) === index);
}

function isSameCall(one: RecordedCall, other: RecordedCall): boolean {
  return (
    one.answer.isError === other.answer.isError && isDeepStrictEqual(one.arguments, other.arguments)
  );
}

function freeName({ answer }: RecordedCall, names: Set<JsonValue>): string {
  const base = answer.isError === true ? "recorded error" : "recorded call";
  let name = base;
  for (let count = 2; names.has(name); count++) name = `${base} ${count}`;
  names.add(name);
  return name;
}

type Made = { readonly example: JsonObject } | { readonly reason: string };

function exampleOf(
  tool: Tool,
  call: RecordedCall,
  others: readonly RecordedCall[],
  manifest: JsonObject,
  now: number,
): Made {
  const outcome = outcomeOf(tool, call);
  if ("reason" in outcome) return outcome;
  const { key, value } = outcome;
  if (JSON.stringify(call.arguments).includes(MASK) && isReadOnly(tool)) {
    return { reason: "arguments with secrets are of no use to a test that calls the tool" };
  }
  const seen = others.flatMap((other) => {
    const same = outcomeOf(tool, other);
    return "reason" in same ? [] : [same.value];
  });
  const short = shortAnswer(value, { arguments: call.arguments, others: seen, now });
  const given = withNumbers(call.arguments);
  const example = {
    ...(Object.keys(call.arguments).length > 0 && { arguments: given }),
    [key]: short.value,
    ...(Object.keys(short.matches).length > 0 && { matches: matchesOf(short.matches) }),
  };
  if (JSON.stringify(example).length > LONGEST_EXAMPLE) {
    return { reason: `an example would be longer than ${LONGEST_EXAMPLE} characters` };
  }
  if (!isWritable(example)) {
    return {
      reason:
        "texts with U+0000 or half a character, and names with control characters, cannot stand in a manifest",
    };
  }
  const shared = sharedSchemas(manifest);
  const fits = (part: JsonValue, schema: JsonValue | undefined): boolean =>
    !isJsonSchema(schema) || interpret(part, schema, schema, { shared }).length === 0;
  if (!fits(given, tool.value["inputSchema"])) {
    return { reason: "the arguments do not fit the inputSchema, as they would be written" };
  }
  return key !== "result" || fits(short.value, tool.value["outputSchema"])
    ? { example }
    : { reason: "the result does not fit the outputSchema, as it would be written" };
}

/** Whether validation lets all texts and names of a value stand in a manifest. */
function isWritable(value: JsonValue): boolean {
  if (typeof value === "string") return !/\0|\p{Cs}/u.test(value);
  if (Array.isArray(value)) return value.every(isWritable);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(
    ([name, member]) => !/[\p{Cc}\p{Cs}]/u.test(name) && isWritable(member),
  );
}

/** A value with numbers in the places of those that were masked. */
function withNumbers(value: JsonValue): JsonValue {
  if (value === MASKED_NUMBER) return 0;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withNumbers(member)]),
  );
}

function matchesOf(matches: Matchers): JsonObject {
  return { ...matches };
}

function isReadOnly({ value }: Tool): boolean {
  const { annotations = null } = value;
  return isJsonObject(annotations) && annotations["readOnlyHint"] === true;
}

type Outcome =
  | { readonly key: "result" | "text" | "error"; readonly value: JsonValue }
  | { readonly reason: string };

/** The part of an answer that an example of this tool describes. */
function outcomeOf({ value: tool }: Tool, { answer }: RecordedCall): Outcome {
  const { content = [], structuredContent, isError } = answer;
  const envelope = envelopeOf(tool);
  if (isError !== true && (Object.hasOwn(tool, "outputSchema") || envelope !== undefined)) {
    const inner = envelope && isJsonObject(structuredContent ?? null);
    const result = inner
      ? (structuredContent as JsonObject)[envelope?.part ?? ""]
      : structuredContent;
    return result === undefined
      ? { reason: "answers without structured content are no example of a tool with outputSchema" }
      : { key: "result", value: result };
  }
  const [block = null, ...others] = Array.isArray(content) ? content : [];
  const isText =
    isJsonObject(block) &&
    others.length === 0 &&
    typeof block["text"] === "string" &&
    Object.keys(block).every((name) => name === "type" || name === "text");
  if (!isText) return { reason: "answers with other content than one text are no example" };
  return { key: isError === true ? "error" : "text", value: block["text"] ?? "" };
}
