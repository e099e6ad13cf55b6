import type { ContentBlock } from "@modelcontextprotocol/server";

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
