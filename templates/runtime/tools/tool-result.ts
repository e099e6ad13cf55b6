import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { after, type Awaitable } from "../engine/awaitable.js";
import { areContentBlocks, isPlainText, text } from "../engine/content.js";
import type { Validator } from "../engine/item.js";
import { InvalidResultError } from "../engine/errors.js";
import { resultJson } from "../engine/json-result.js";
import type { Limits } from "../engine/limits.js";
import { isObject } from "../engine/request-parameters.js";
import { blockLength, cutContent } from "./cut-content.js";
import {
  LongResultError,
  shownAnswer,
  unfitAnswer,
  ToolResult,
  type ToolResultParts,
} from "./result.js";
import { brokenKeywords } from "../engine/validation-message.js";

/**
 * Turns what a handler returned into the protocol's result. With an output schema, the returned value becomes
 * `structuredContent`, and its JSON a text. Without one, it must be a text or blocks of content. A `ToolResult` may
 * have both.
 * @param name The name of the tool.
 * @param textOf Tells the structured value as text; undefined for none. By default, its JSON is told.
 * @throws InvalidResultError, directly or by its promise, if the value is neither text nor content, breaks the output
 * schema, is not JSON or is too long
 */
export function toCallToolResult(
  name: string,
  validateOutput: Validator | undefined,
  returned: unknown,
  limits: Limits,
  textOf?: (value: unknown) => string | undefined,
): Awaitable<CallToolResult> {
  const what = `Tool ${name}`;
  const parts = partsOf(returned, validateOutput !== undefined);
  const { json: structured, breaches } = structuredText(
    what,
    validateOutput,
    parts.structuredContent,
  );
  if (breaches !== undefined) throw misfitOf(what, returned, breaches, limits);
  const contentSource =
    textOf === undefined || structured === undefined
      ? structured
      : (textOf(parts.structuredContent) ?? []);
  const content = blocksOf(parts.content ?? contentSource);
  return after(areContentBlocks(content), (areBlocks) => {
    if (!areBlocks) {
      const problems = isUnmarkedResult(returned) ? [UNMARKED_RESULT] : [];
      throw new InvalidResultError(`${what} returned neither text nor content`, problems);
    }
    const { resultLength: longest } = limits;
    const isLong =
      !isShort(structured, content, parts.meta, longest) &&
      isLonger(what, [structured, parts.meta, ...content], longest);
    if (isLong) {
      const shown = structured === undefined ? content : shownAnswer(returned);
      throw longResult(what, shown, longest);
    }
    const result: CheckedResult = { content };
    if (structured !== undefined) {
      result.structuredContent = parts.structuredContent as object;
      result[structuredJson] = structured;
    }
    if (parts.meta !== undefined) result._meta = { ...parts.meta };
    return result;
  });
}

const structuredJson = Symbol("the JSON of structuredContent");

/** A result that keeps the JSON of its `structuredContent`. JSON omits a member whose name is a symbol. */
type CheckedResult = CallToolResult & { [structuredJson]?: string };

/** The JSON of `structuredContent`; undefined if {@link toCallToolResult} has made none for this result. */
export function structuredTextOf(result: CheckedResult): string | undefined {
  return result[structuredJson];
}

function partsOf(returned: unknown, hasOutput: boolean): ToolResultParts {
  if (returned instanceof ToolResult) return returned.parts;
  if (hasOutput) return { structuredContent: returned };
  return { content: returned as string | ContentBlock | readonly ContentBlock[] };
}

/** The JSON of a structured value, and how it breaks the schema. */
function structuredText(
  what: string,
  validateOutput: Validator | undefined,
  value: unknown,
): { readonly json?: string; readonly breaches?: readonly string[] } {
  if (value === undefined && validateOutput === undefined) return {};
  const json = resultJson(what, value);
  if (json === undefined) return { breaches: ["/: nothing was returned"] };
  if (validateOutput === undefined || validateOutput(value)) return { json };
  return { breaches: brokenKeywords(validateOutput.errors) };
}

/** What the log says of an object with `content`, as tools of the SDK return it. The compiler finds it first, if it runs. */
const UNMARKED_RESULT =
  "it has `content`: a whole result is made by `result({ content, … })`, and an object without it is the structured value";

/** Whether a returned value has blocks of content as a result of the protocol has, and is no {@link ToolResult}. */
function isUnmarkedResult(returned: unknown): boolean {
  const content = isObject(returned) ? returned["content"] : undefined;
  return (
    Array.isArray(content) &&
    content.every((block) => isObject(block) && typeof block["type"] === "string")
  );
}

/** The error about a value that breaks the output schema. What another service has answered reaches the caller with it. */
function misfitOf(
  what: string,
  returned: unknown,
  breaches: readonly string[],
  { resultLength: longest }: Limits,
): InvalidResultError {
  const unfit = unfitAnswer(what, returned, breaches);
  if (unfit === undefined) {
    return new InvalidResultError(
      `${what} returned a result that breaks its output schema`,
      isUnmarkedResult(returned) ? [...breaches, UNMARKED_RESULT] : breaches,
    );
  }
  return isLonger(what, unfit.content, longest) ? longResult(what, unfit.shown, longest) : unfit;
}

/**
 * The error about a result that is too long. As much of it as fits reaches the caller: the call was carried out.
 * @param shown the whole result for models; undefined if they must not get a part of it
 */
function longResult(
  what: string,
  shown: readonly ContentBlock[] | undefined,
  longest: number,
): InvalidResultError {
  const message = `${what} returned too long a result`;
  const problem = `it has more than ${longest} characters`;
  const notice = `The call was carried out and needs no repetition. Its result is too long (${problem}), so it follows as text, as far as it fits:`;
  const content = shown && cutContent(what, notice, shown, longest);
  return content === undefined
    ? new InvalidResultError(message, [problem])
    : new LongResultError(message, [problem], content);
}

/** The returned content as a list of blocks, unchecked. */
function blocksOf(content: unknown): ContentBlock[] {
  if (typeof content === "string") return [text(content)];
  return (Array.isArray(content) ? content : [content]) as ContentBlock[];
}

/** Whether a result of texts is certainly short enough, however JSON escapes its characters. */
function isShort(
  structured: string | undefined,
  content: readonly ContentBlock[],
  meta: unknown,
  longest: number,
): boolean {
  if (meta !== undefined) return false;
  let length = structured?.length ?? 0;
  for (const block of content) {
    if (!isPlainText(block)) return false;
    length += 6 * block.text.length + 30;
  }
  return length <= longest;
}

/** Whether the parts of a result have more characters as JSON. A part that is a text is JSON. */
function isLonger(what: string, parts: readonly unknown[], longest: number): boolean {
  let length = 0;
  for (const part of parts) {
    length += typeof part === "string" ? part.length : blockLength(what, part);
    if (length > longest) return true;
  }
  return false;
}
