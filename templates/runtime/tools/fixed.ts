import type { CallToolResult } from "@modelcontextprotocol/server";
import { renderBlock, type FixedBlock } from "../engine/fixed-content.js";
import type { FixedAnswer } from "./definition.js";

declare module "./definition.js" {
  interface FixedAnswer {
    readonly content: readonly FixedBlock[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
  }
}

/** The fixed answer of a tool, with the arguments put into its texts. @param longest Longest text, in UTF-16 code units. */
export function renderFixed(
  { content, structuredContent, isError }: FixedAnswer,
  input: Readonly<Record<string, unknown>>,
  longest: number,
): CallToolResult {
  return {
    content: content.map((block) => renderBlock(block, input, longest)),
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as object }),
    ...(isError === undefined ? {} : { isError }),
  };
}
