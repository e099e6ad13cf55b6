import { stepsOf } from "../upstreams/pointer.js";
import type { AcceptedCall, BreakingValue, ExampleContract, Json, JsonObject } from "./contract.js";

/**
 * The form in which the files of contracts hold values of a schema. Most differ from a valid value in one place, and
 * long texts and lists repeat their last part, so that a file says what is special about each value.
 */

/** A change of a valid value. */
export interface Change {
  /** JSON Pointers of what is left out. */
  readonly without?: readonly string[];
  /** What stands at JSON Pointers instead; the empty pointer is the whole value. */
  readonly becomes?: Readonly<Record<string, Json>>;
  readonly continued?: Lengths;
}

/** The lengths to which texts and lists are continued with their last character or item, by their JSON Pointers. */
export type Lengths = Readonly<Record<string, number>>;

/** Several values of one part, each of which breaks the schema in the same way. */
export interface BreakingParts {
  /** The JSON Pointer of the part. */
  readonly at: string;
  readonly values: readonly Json[];
}

/** Values that break a schema, as changes of a valid value. */
export interface ChangedValues {
  readonly valid: Json;
  readonly changes: readonly ((Change | BreakingParts) & Expectations)[];
}

type Expectations = Omit<BreakingValue, "value">;

/** Values of a schema, as changes of a valid one. */
export interface WrittenSchemaValues {
  readonly valid: Json;
  readonly accepted: readonly Change[];
  readonly refused: ChangedValues["changes"];
}

/** A call whose long arguments are written short. */
export interface WrittenCall extends AcceptedCall {
  readonly continued?: Lengths;
}

/** A call with the arguments of an example. */
export interface ExampleCall extends Omit<AcceptedCall, "arguments"> {
  readonly example: string;
}

/** An answer, or the name of the example that has it. */
export type WrittenAnswer = JsonObject | { readonly example: string };

/** What the file of an item may hold as changes of a valid value, or by the name of an example. */
interface WrittenItem {
  readonly definition?: JsonObject;
  readonly examples?: readonly ExampleContract[];
  readonly mock?: WrittenAnswer;
  readonly accepted?: readonly (WrittenCall | ExampleCall)[];
  readonly refused?: ChangedValues | readonly BreakingValue[];
  readonly output?: WrittenSchemaValues | object;
  /** Of a shared schema. */
  readonly values?: WrittenSchemaValues | object;
}

/**
 * The contract of an item with all values as they are sent. What is written whole stays as it is. `inputDiffers` is the
 * change that makes the schema that arguments must fit of the listed one. A tool has the name of its definition.
 */
export function withWholeValues(item: JsonObject): JsonObject {
  const { inputDiffers, ...members } = item;
  const {
    definition,
    examples = [],
    mock,
    accepted,
    refused,
    output,
    values,
  }: WrittenItem = members;
  const listed = definition?.["inputSchema"] ?? {};
  const name = members["name"] ?? definition?.["name"];
  const whole: object = {
    ...members,
    ...(name !== undefined && { name }),
    ...(inputDiffers !== undefined && {
      inputSchema: changedValue(listed, inputDiffers as Change),
    }),
    ...(mock !== undefined && { mock: wholeAnswer(mock, examples) }),
    ...(Array.isArray(accepted) && { accepted: accepted.map((call) => wholeCall(call, examples)) }),
    ...(isChanged(refused) && { refused: brokenValues(refused) }),
    ...(isChanged(output) && { output: wholeValues(output) }),
    ...(isChanged(values) && { values: wholeValues(values) }),
  };
  return whole as JsonObject;
}

function isChanged<Changed extends { readonly valid: Json }>(
  values: Changed | object | undefined,
): values is Changed {
  return typeof values === "object" && values !== null && "valid" in values;
}

function wholeAnswer(answer: WrittenAnswer, examples: readonly ExampleContract[]): JsonObject {
  const named = examples.find(({ name }) => name === answer["example"]);
  return named?.answer ?? answer;
}

function wholeCall(
  call: WrittenCall | ExampleCall,
  examples: readonly ExampleContract[],
): AcceptedCall {
  if ("example" in call) {
    const { example, ...expected } = call;
    const shown = examples.find(({ name }) => name === example);
    return { arguments: shown?.arguments ?? {}, ...expected };
  }
  const { continued, ...written } = call;
  if (continued === undefined) return written;
  const { received } = written;
  return {
    ...written,
    arguments: withLengths(written.arguments, continued) as JsonObject,
    ...(received !== undefined && { received: withLengths(received, continued) as JsonObject }),
  };
}

function brokenValues({ valid, changes }: ChangedValues): BreakingValue[] {
  return changes.flatMap((change) => {
    if (!("at" in change)) return [broken(valid, change)];
    const { at, values, ...expectations } = change;
    return values.map((value) => broken(valid, { becomes: { [at]: value }, ...expectations }));
  });
}

function broken(
  valid: Json,
  { without = [], becomes = {}, continued = {}, ...expectations }: Change & Expectations,
): BreakingValue {
  return { value: changedValue(valid, { without, becomes, continued }), ...expectations };
}

function wholeValues({ valid, accepted, refused }: WrittenSchemaValues): object {
  return {
    accepted: [valid, ...accepted.map((change) => changedValue(valid, change))],
    refused: brokenValues({ valid, changes: refused }),
  };
}

/** A valid value after a change. */
export function changedValue(valid: Json, change: Change): Json {
  const { without = [], becomes = {}, continued = {} } = change;
  const absent = without.reduce(
    (value, pointer) => changedAt(value, stepsOf(pointer), () => undefined),
    valid,
  );
  const replaced = Object.entries(becomes).reduce(
    (value, [pointer, part]) => changedAt(value, stepsOf(pointer), () => part),
    absent,
  );
  return withLengths(replaced, continued);
}

function withLengths(value: Json, lengths: Lengths): Json {
  return Object.entries(lengths).reduce(
    (whole, [pointer, length]) =>
      changedAt(whole, stepsOf(pointer), (part) => continuedTo(part ?? null, length)),
    value,
  );
}

/** A copy of a value with another part; a part that becomes undefined is left out of its object. */
function changedAt(
  value: Json,
  [step, ...inner]: readonly string[],
  change: (part: Json | undefined) => Json | undefined,
): Json {
  if (step === undefined) return change(value) ?? null;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      String(index) === step ? changedAt(item, inner, change) : item,
    );
  }
  const members = Object.entries(value as JsonObject);
  const own = members.find(([name]) => name === step)?.[1];
  const part = inner.length === 0 ? change(own) : changedAt(own ?? null, inner, change);
  const others = members.filter(([name]) => name !== step);
  if (part === undefined) return Object.fromEntries(others);
  const entries =
    own === undefined
      ? [...members, [step, part] as const]
      : members.map(([name, member]) => [name, name === step ? part : member] as const);
  return Object.fromEntries(entries);
}

function continuedTo(part: Json, length: number): Json {
  if (typeof part === "string") return part.padEnd(length, part.slice(-1));
  if (!Array.isArray(part)) return part;
  const last = part.at(-1) ?? null;
  return [...part, ...Array<Json>(Math.max(0, length - part.length)).fill(last)];
}
