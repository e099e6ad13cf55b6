import type { FixedContentBlock } from "../../model/server-model.js";
import { literalOf, objectOf, type Code } from "../../text/code.js";

/** The literal of a content block. The text of a text block is written as a compiled template. */
export function fixedContent(block: FixedContentBlock): Code {
  if (block.kind === "verbatim") return literalOf(block.block);
  const others = Object.entries(block.rest).map(([key, value]) => [key, literalOf(value)] as const);
  return objectOf([["type", '"text"'], ["text", literalOf(block.text)], ...others]);
}
