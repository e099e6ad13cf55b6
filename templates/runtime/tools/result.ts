import type { ContentBlock, CallToolResult } from "@modelcontextprotocol/server";
import { text } from "../engine/content.js";
import { InvalidResultError, publicMessage, type ToolError } from "../engine/errors.js";
import type { Logger } from "../observe/log.js";

/** The parts of a tool result that a handler may set; `content` is made from `structuredContent` where it is absent. */
export interface ToolResultParts<Output = unknown> {
  /** What models read. By default, it is the structured value as JSON. */
  readonly content?: string | ContentBlock | readonly ContentBlock[];
  /** The value that fits the tool's output schema. */
  readonly structuredContent?: Output;
  /** The `_meta` of the result. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A complete tool result, made by {@link result}. The class distinguishes it from an output value. */
export class ToolResult<Output = unknown> {
  /** The parts that the handler has set. */
  readonly parts: ToolResultParts<Output>;

  constructor(parts: ToolResultParts<Output>) {
    this.parts = parts;
  }
}

/** Makes a complete tool result: content blocks beside (or instead of) the structured value, and `_meta`. */
export function result<Output>(parts: ToolResultParts<Output>): ToolResult<Output> {
  return new ToolResult(parts);
}

/** What another service has answered to an operation that succeeded. */
export interface ReceivedAnswer {
  /** Returns the whole answer for models. It is called where the answer breaks the output schema. */
  readonly shown: () => readonly ContentBlock[];
  /** Why there is no structured value; absent if there is one. */
  readonly problem?: string | undefined;
}

const receivedAnswers = new WeakMap<object, ReceivedAnswer>();

/**
 * Marks a value, or a whole result, as what another service has answered. Where it breaks the output schema of the tool
 * that returns it, the caller gets it all the same, as text with a notice: who learns of an error alone would call again.
 */
export function received<Value extends object>(value: Value, answer: ReceivedAnswer): Value {
  receivedAnswers.set(value, answer);
  return value;
}

/** Marks the structured value of a received answer, as {@link received} does. The value may also be no object. */
export function receivedValue(
  value: unknown,
  shown: ReceivedAnswer["shown"],
): object | ToolResult<unknown> {
  const isObject = typeof value === "object" && value !== null;
  return received(isObject ? value : result({ structuredContent: value }), { shown });
}

/** The result of a tool with an output schema from an answer that has no value for it. */
export function withoutValue(problem: string, shown: readonly ContentBlock[]): ToolResult {
  return received(result({}), { shown: () => shown, problem });
}

/** An answer of another service for a tool with an output schema. */
export interface Offer extends ReceivedAnswer {
  /** The value for the schema; absent if there is a problem. */
  readonly value?: unknown;
  /** Why a strict tool has no result; absent if it has one. */
  readonly error?: ToolError | undefined;
}

/**
 * The result of a tool with an output schema from an answer. Where that breaks the schema or has no value for it, the
 * caller gets it as text with a notice, unless the tool is strict: the operation was carried out.
 * @throws the error of the answer, if the tool is strict
 */
export function passedOn({ value, problem, error, shown }: Offer, strict: boolean): unknown {
  if (!strict)
    return problem === undefined ? receivedValue(value, shown) : withoutValue(problem, shown());
  if (error !== undefined) throw error;
  return value;
}

/** The error that carries a received answer to the caller; undefined if the value is none. */
export function unfitAnswer(
  what: string,
  returned: unknown,
  breaches: readonly string[],
): UnfitAnswerError | undefined {
  const answer = receivedAnswers.get(returned as object);
  if (answer === undefined) return undefined;
  const { shown, problem } = answer;
  return new UnfitAnswerError(what, problem === undefined ? breaches : [problem], shown());
}

/** What another service has answered, for models; undefined if a returned value is no such answer. */
export function shownAnswer(returned: unknown): readonly ContentBlock[] | undefined {
  return receivedAnswers.get(returned as object)?.shown();
}

/** An answer of another service breaks the output schema of the tool that passes it on. */
export class UnfitAnswerError extends InvalidResultError {
  /** The content for the caller: a notice, and the answer. */
  readonly content: readonly ContentBlock[];
  /** The answer alone. */
  readonly shown: readonly ContentBlock[];

  constructor(what: string, problems: readonly string[], shown: readonly ContentBlock[]) {
    super(`${what} passed on an answer that breaks its output schema`, problems);
    const notice = `The call was carried out and needs no repetition. Its answer breaks the output schema of this tool (${problems.join("; ")}), so it follows as text:`;
    this.shown = shown;
    this.content = [text(notice), ...shown];
  }
}

/** The result of a tool is longer than its limit. */
export class LongResultError extends InvalidResultError {
  /** The content for the caller: a notice, and what fits of the result. */
  readonly content: readonly ContentBlock[];

  constructor(message: string, problems: readonly string[], content: readonly ContentBlock[]) {
    super(message, problems);
    this.content = content;
  }
}

/** The answer of a call that has failed. What the caller must not read is logged. */
export function failureOf(error: unknown, log: Logger): CallToolResult {
  const isShown = error instanceof UnfitAnswerError || error instanceof LongResultError;
  if (!isShown) return failedCall(publicMessage(error, log));
  log.warning(error.message, { problems: error.problems });
  return { content: [...error.content], isError: true };
}

/** Makes the answer of a failed call, with a message that the caller may read. */
export function failedCall(message: string): CallToolResult {
  return { content: [text(message)], isError: true };
}
