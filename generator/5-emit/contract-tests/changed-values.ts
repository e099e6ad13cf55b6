import { isDeepStrictEqual } from "node:util";
import type {
  BreakingParts,
  Change,
  WrittenSchemaValues,
  ChangedValues,
  ExampleCall,
  WrittenAnswer,
  WrittenCall,
} from "../../../templates/runtime/suite/changed-values.js";
import type {
  AcceptedCall,
  BreakingValue,
  SchemaValues,
  ToolContract,
} from "../../../templates/runtime/suite/contract.js";
import { cachedJson, isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { pointerSegment } from "../../schema/reported-findings.js";

/**
 * The contract of a tool as its file has it: `templates/runtime/suite/changed-values.ts` reads it.
 * @param definition the entry of the tool in lists
 */
export function writtenTool(contract: ToolContract, definition: JsonObject): object {
  const { name: _name, inputSchema, mock, accepted, refused, output, ...tool } = contract;
  const listed = definition["inputSchema"] ?? {};
  return {
    definition,
    ...tool,
    ...(inputSchema !== undefined && { inputDiffers: changeOf(listed, inputSchema) }),
    ...(mock !== undefined && { mock: writtenMock(mock, contract) }),
    accepted: accepted.map((call) => writtenCall(call, contract)),
    refused: refused.length === 0 ? refused : changedValues(accepted, refused),
    ...(output !== undefined && { output: writtenValues(output) }),
  };
}

/** The name of the example with an answer, or the answer where there is none. */
function writtenMock(mock: JsonObject, { examples }: ToolContract): WrittenAnswer {
  const example = examples.find(({ answer }) => isDeepStrictEqual(answer, mock));
  return example === undefined ? mock : { example: example.name };
}

/** The changes of the arguments of an accepted call that say the refused values in the fewest words. */
function changedValues(
  accepted: readonly AcceptedCall[],
  refused: readonly BreakingValue[],
): ChangedValues | readonly BreakingValue[] {
  let shortest: ChangedValues | undefined;
  let shortestLength = Infinity;
  for (const { arguments: valid } of accepted.slice(0, MOST_CANDIDATES)) {
    if (cachedJson(valid).length >= shortestLength) continue;
    const candidate = { valid, changes: changesOf(valid, refused) };
    const { length } = JSON.stringify(candidate);
    if (length < shortestLength) [shortest, shortestLength] = [candidate, length];
  }
  return shortest ?? refused;
}

/** Values that break a schema are made from the first valid values, which may stand behind the examples. */
const MOST_CANDIDATES = 6;

function changesOf(valid: JsonValue, broken: readonly BreakingValue[]): ChangedValues["changes"] {
  const joined: ChangedValues["changes"][number][] = [];
  for (const { value, ...expectations } of broken) {
    const change = { ...changeOf(valid, value), ...expectations };
    const both = joinedParts(joined.at(-1), change);
    if (both === undefined) joined.push(change);
    else joined.splice(-1, 1, both);
  }
  return joined;
}

type BreakingChange = ChangedValues["changes"][number];

/** Two changes of the same part after which the same is expected, as one; undefined for others. */
function joinedParts(
  first: BreakingChange | undefined,
  second: BreakingChange,
): BreakingChange | undefined {
  const [one, other] = [first && partOf(first), partOf(second)];
  if (one === undefined || other === undefined) return undefined;
  const { values, ...place } = one;
  const { values: further, ...otherPlace } = other;
  if (!isDeepStrictEqual(place, otherPlace)) return undefined;
  const { at, ...expectations } = place;
  return { at, values: [...values, ...further], ...expectations };
}

/** A change of one part as a list of its values. */
function partOf(change: BreakingChange): (BreakingParts & BreakingChange) | undefined {
  if ("at" in change) return change;
  const { becomes = {}, without, continued, ...expectations } = change;
  const [entry, ...others] = Object.entries(becomes);
  if (entry === undefined || others.length > 0) return undefined;
  if (without !== undefined || continued !== undefined) return undefined;
  const [at, value] = entry;
  return { at, values: [value], ...expectations };
}

/** Values of a schema as a file has them: as changes of the first valid one. */
export function writtenValues(values: SchemaValues): SchemaValues | WrittenSchemaValues {
  const [valid, ...others] = values.accepted;
  if (valid === undefined) return values;
  return {
    valid,
    accepted: others.map((value) => changeOf(valid, value)),
    refused: changesOf(valid, values.refused),
  };
}

/** The change that makes another value of a valid one, or that other value where it is shorter. */
function changeOf(valid: JsonValue, other: JsonValue): Change {
  const differences = new Differences();
  if (!Object.is(valid, other)) differences.add(valid, other, "");
  const { change } = differences;
  const isShort = isNoLonger(JSON.stringify(change).length - '{"becomes":{"":}}'.length, other);
  return withShortTexts(isShort ? change : { becomes: { "": other } });
}

/** Whether a text of a length is no longer than that of a value. Most are much shorter, which its keys show already. */
function isNoLonger(length: number, value: JsonValue): boolean {
  if (isJsonObject(value)) {
    let least = 0;
    for (const key of Object.keys(value)) least += key.length + '"":0'.length;
    if (length <= least) return true;
  }
  // The same value is compared with several others, so that its text is cached.
  return length <= cachedJson(value).length;
}

/** The parts in which two values differ. */
class Differences {
  readonly #without: string[] = [];
  readonly #becomes: Record<string, JsonValue> = {};

  get change(): Change {
    const [without, becomes] = [this.#without, this.#becomes];
    return {
      ...(without.length > 0 && { without }),
      ...(Object.keys(becomes).length > 0 && { becomes }),
    };
  }

  /** Adds those of two values, which are not the same one, at a JSON Pointer. Objects, and lists of the same length, are compared by their members. */
  add(valid: JsonValue | undefined, other: JsonValue | undefined, pointer: string): void {
    if (other === undefined) this.#without.push(pointer);
    else if (valid === undefined || !haveSameShape(valid, other)) this.#becomes[pointer] = other;
    else {
      const [ones, others] = [valid as JsonObject, other as JsonObject];
      for (const step of Object.keys(ones)) this.#addMember(ones, others, step, pointer);
      for (const step of Object.keys(others)) {
        if (!Object.hasOwn(ones, step)) this.#addMember(ones, others, step, pointer);
      }
    }
  }

  #addMember(ones: JsonObject, others: JsonObject, step: string, pointer: string): void {
    const before = ownValue(ones, step);
    const after = ownValue(others, step);
    // Most members of the same value are equal.
    if (!Object.is(before, after)) this.add(before, after, `${pointer}${pointerSegment(step)}`);
  }
}

function haveSameShape(one: JsonValue, other: JsonValue): boolean {
  if (isJsonObject(one) && isJsonObject(other)) return true;
  return Array.isArray(one) && Array.isArray(other) && one.length === other.length;
}

function withShortTexts({ becomes, ...change }: Change): Change {
  if (becomes === undefined) return change;
  const continued: Record<string, number> = {};
  const short = Object.entries(becomes).map(
    ([pointer, part]: [string, JsonValue]) =>
      [pointer, withShortParts(part, pointer, continued)] as const,
  );
  return {
    ...change,
    becomes: Object.fromEntries(short),
    ...(Object.keys(continued).length > 0 && { continued }),
  };
}

/** Texts and lists that repeat their last part more often are written short. */
const MOST_REPEATED = { characters: 20, items: 3 };

/** A text or list without the repetitions at its end; undefined where there are few. */
function shortened(value: JsonValue): string | JsonValue[] | undefined {
  if (typeof value !== "string" && !Array.isArray(value)) return undefined;
  const most = typeof value === "string" ? MOST_REPEATED.characters : MOST_REPEATED.items;
  const last: JsonValue | undefined = value.at(-1);
  let kept = value.length;
  if (kept <= most) return undefined;
  while (kept > 1 && isDeepStrictEqual(value[kept - 2], last)) kept--;
  return value.length - kept < most ? undefined : value.slice(0, kept);
}

function writtenCall(call: AcceptedCall, { examples }: ToolContract): WrittenCall | ExampleCall {
  const example = examples.find((one) => isDeepStrictEqual(one.arguments, call.arguments));
  if (example !== undefined) {
    const { arguments: _arguments, ...expected } = call;
    return { example: example.name, ...expected };
  }
  const continued: Record<string, number> = {};
  const inReceived: Record<string, number> = {};
  const written = withShortParts(call.arguments, "", continued) as JsonObject;
  const received = call.received && (withShortParts(call.received, "", inReceived) as JsonObject);
  // Defaults may be long too. Such calls are rare, and stay whole.
  const isShort = received === undefined || isDeepStrictEqual(continued, inReceived);
  if (Object.keys(continued).length === 0 || !isShort) return call;
  return {
    ...call,
    arguments: written,
    continued,
    ...(received !== undefined && { received }),
  };
}

/** A value whose long texts and lists are written short, with their lengths by their JSON Pointers. */
function withShortParts(
  value: JsonValue,
  pointer: string,
  lengths: Record<string, number>,
): JsonValue {
  if (!hasLongParts(value)) return value;
  const short = shortened(value);
  if (short !== undefined) {
    lengths[pointer] = (value as string | JsonValue[]).length;
    return short;
  }
  const at = (step: string): string => `${pointer}${pointerSegment(step)}`;
  if (Array.isArray(value)) {
    return value.map((item, index) => withShortParts(item, at(String(index)), lengths));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withShortParts(member, at(name), lengths),
    ]),
  );
}

/** Whether a text or list in a value is written short. Most values have none. */
function hasLongParts(value: JsonValue): boolean {
  if (shortened(value) !== undefined) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasLongParts);
}
