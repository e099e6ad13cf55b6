import type { ContentBlock } from "@modelcontextprotocol/server";

/** The parts of a tool result that a handler may set; `content` is made from `structuredContent` where it is absent. */
export interface ToolResultParts<Output = unknown> {
  readonly content?: string | ContentBlock | readonly ContentBlock[];
  readonly structuredContent?: Output;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A complete tool result, made by {@link result}. The class distinguishes it from an output value. */
export class ToolResult<Output = unknown> {
  readonly parts: ToolResultParts<Output>;

  constructor(parts: ToolResultParts<Output>) {
    this.parts = parts;
  }
}

/** Makes a complete tool result: content blocks beside (or instead of) the structured value, and `_meta`. */
export function result<Output>(parts: ToolResultParts<Output>): ToolResult<Output> {
  return new ToolResult(parts);
}
