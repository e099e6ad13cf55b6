import type { ContentBlock } from "@modelcontextprotocol/server";
import { isPlainText, text } from "../engine/content.js";
import { resultLength } from "../engine/json-result.js";
import { beginningOf, jsonLength } from "../engine/long-texts.js";

/** The length of a block of text as JSON, without the text. */
const emptyBlockLength = JSON.stringify(text("")).length - 2;

/** The length of a block as JSON. @throws InvalidResultError if it is no JSON */
export function blockLength(what: string, block: unknown): number {
  return isPlainText(block) ? emptyBlockLength + jsonLength(block.text) : resultLength(what, block);
}

/**
 * As much of the blocks of a result as its limit allows: the text that exceeds it is cut, and of other blocks and what
 * follows only the kinds are left.
 *
 * @param longest the most characters of all blocks as JSON
 * @returns undefined if not even the notice fits
 */
export function cutContent(
  what: string,
  notice: string,
  blocks: readonly ContentBlock[],
  longest: number,
): ContentBlock[] | undefined {
  const first = text(notice);
  let rest = longest - blockLength(what, first);
  if (rest < 0) return undefined;
  const kept: ContentBlock[] = [first];
  for (const block of blocks) {
    const part = fitting(what, block, rest);
    if (part === undefined) continue;
    kept.push(part);
    rest -= blockLength(what, part);
  }
  return kept;
}

/** A block, a part of its text, or a text that names its kind; undefined if none of them fits. */
function fitting(what: string, block: ContentBlock, rest: number): ContentBlock | undefined {
  const length = blockLength(what, block);
  if (length <= rest) return block;
  if (block.type === "text") return cutText(block.text, rest);
  const leftOut = text(`[${kindOf(block)} of ${length} characters, left out]`);
  return blockLength(what, leftOut) <= rest ? leftOut : undefined;
}

function kindOf(block: ContentBlock): string {
  if (block.type === "resource") return block.resource.mimeType ?? "a resource";
  if ("mimeType" in block) return block.mimeType ?? block.type;
  return block.type;
}

/** The beginning of a text, with a notice; undefined if not even that fits. */
function cutText(whole: string, rest: number): ContentBlock | undefined {
  const notice = (length: number): string => `\n[cut after ${length} characters]`;
  const left = rest - blockLength("", text(notice(whole.length)));
  const beginning = left > 0 ? beginningOf(whole, left) : "";
  return beginning === "" ? undefined : text(beginning + notice(beginning.length));
}
