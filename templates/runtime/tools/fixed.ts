import type { CallToolResult } from "@modelcontextprotocol/server";
import { renderBlock, type FixedBlock } from "../engine/fixed-content.js";
import type { ToolEntry } from "./definition.js";

declare module "./definition.js" {
  interface ToolEntry {
    /** Stands in the manifest; a tool with an answer has no handler. */
    readonly answer?: FixedAnswer;
  }
}

/** An answer that stands in the manifest. */
interface FixedAnswer {
  readonly content: readonly FixedBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** The fixed answer of a tool, with the arguments put into its texts. @param longest Longest text, in UTF-16 code units. */
export function renderFixed(
  { answer = { content: [] } }: ToolEntry,
  input: Readonly<Record<string, unknown>>,
  longest: number,
): CallToolResult {
  const { content, structuredContent, isError } = answer;
  return {
    content: content.map((block) => renderBlock(block, input, longest)),
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as object }),
    ...(isError === undefined ? {} : { isError }),
  };
}
