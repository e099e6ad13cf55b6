import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../model/json.js";

/** A call that passed between a client and a server, with its answer. */
export interface RecordedCall {
  /** The name of the tool, as the client wrote it. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The members of the result that an example can have. */
  readonly answer: CallAnswer;
}

/** An answer to a call, without what belongs to the protocol. */
export interface CallAnswer {
  readonly content?: JsonValue;
  readonly structuredContent?: JsonValue;
  readonly isError?: boolean;
}

/** Most calls of a recording, and the most bytes of JSON that they have together. */
export const MOST_CALLS = 1_000;
const MOST_BYTES = 16 * 1024 * 1024;
/** The longest message that is looked at, in bytes. */
export const LONGEST_MESSAGE = 4 * 1024 * 1024;
/** Most requests that wait for an answer. Of more, the oldest are forgotten. */
const MOST_PENDING = 1_000;

/** The requests whose results are recorded, and those for which the manifest has no examples. */
const CALL = "tools/call";
const READS: Readonly<Record<string, string>> = {
  "resources/read": "reads of resources",
  "prompts/get": "uses of prompts",
};

/** The deepest nesting of the values of a call. */
const DEEPEST = 100;

interface PendingCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Finds calls and their answers among the messages of one or several connections. Messages of any form are harmless. */
export class Recorder {
  readonly #calls: RecordedCall[] = [];
  readonly #pending = new Map<string, PendingCall>();
  readonly #skipped = new Map<string, number>();
  #bytesLeft = MOST_BYTES;

  /** The calls with results, in the order of their answers. */
  get calls(): readonly RecordedCall[] {
    return this.#calls;
  }

  /** What passed and is not among the calls, in words. */
  get skipped(): readonly string[] {
    return [...this.#skipped].map(([what, count]) => `${count} ${what}`);
  }

  /**
   * Takes a message from the client, or several in a list.
   *
   * @param connection tells connections apart whose requests have the same ids
   */
  fromClient(text: string, connection = ""): void {
    for (const message of this.#messagesIn(text)) {
      const { id, method, params } = message;
      if (typeof method !== "string" || id === undefined) continue;
      const other = Object.hasOwn(READS, method) ? READS[method] : undefined;
      if (other !== undefined) this.skip(`${other}, since only tools have examples`);
      if (method !== CALL || !isJsonObject(params)) continue;
      const { name, arguments: values = {} } = params;
      if (typeof name !== "string" || !isJsonObject(values)) continue;
      const [oldest] = this.#pending.keys();
      if (this.#pending.size >= MOST_PENDING && oldest !== undefined) this.#pending.delete(oldest);
      this.#pending.set(keyOf(id, connection), { tool: name, arguments: values });
    }
  }

  /** Takes a message from the server, or several in a list. @param connection as in `fromClient` */
  fromServer(text: string, connection = ""): void {
    for (const message of this.#messagesIn(text)) {
      const { id, result, error } = message;
      if (id === undefined || message["method"] !== undefined) continue;
      const key = keyOf(id, connection);
      const call = this.#pending.get(key);
      if (call === undefined) continue;
      this.#pending.delete(key);
      if (isJsonObject(result)) this.#add(call, result);
      else if (error !== undefined)
        this.skip("calls that were answered with errors of the protocol");
    }
  }

  /** Counts something that is not recorded. @param what in the plural */
  skip(what: string): void {
    this.#skipped.set(what, (this.#skipped.get(what) ?? 0) + 1);
  }

  #add(call: PendingCall, result: JsonObject): void {
    const { content, structuredContent, isError, resultType = "complete", task } = result;
    if (resultType !== "complete" || task !== undefined) {
      return this.skip("calls that were answered with a question or a task");
    }
    const answer = {
      ...(content !== undefined && { content }),
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isError === true && { isError }),
    };
    const recorded = { ...call, answer };
    if (isDeeperThan(recorded, DEEPEST)) {
      return this.skip(`calls with values that are nested more than ${DEEPEST} levels deep`);
    }
    const { length } = JSON.stringify(recorded);
    if (this.#calls.length >= MOST_CALLS || length > this.#bytesLeft) {
      return this.skip("calls after the recording was full");
    }
    this.#bytesLeft -= length;
    this.#calls.push(recorded);
  }

  #messagesIn(text: string): JsonObject[] {
    if (text.trim() === "") return [];
    const value = parsedJson(text);
    if (value === undefined) this.skip("messages that are no JSON");
    return (Array.isArray(value) ? value : [value]).filter(isJsonObject);
  }
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

const keyOf = (id: JsonValue, connection: string): string => `${connection} ${JSON.stringify(id)}`;
