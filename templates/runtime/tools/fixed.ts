import type { CallToolResult } from "@modelcontextprotocol/server";
import { renderBlock, type FixedBlock } from "../engine/fixed-content.js";
import type { ToolEntry } from "./definition.js";

/** An answer that the manifest states. */
export interface FixedAnswer {
  /** The content blocks. Texts are templates with the arguments of the call. */
  readonly content: readonly FixedBlock[];
  /** The value for the tool's output schema. */
  readonly structuredContent?: unknown;
  /** Whether the answer is an error; false by default. */
  readonly isError?: boolean;
}

/** Makes the fixed answer of a tool and inserts the arguments into its texts. @param longest Longest text, in UTF-16 code units. */
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
