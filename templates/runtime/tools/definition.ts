import type { CallToolResult, ContentBlock, Tool } from "@modelcontextprotocol/server";
import type { ItemHandler, ItemSettings, Validator } from "../engine/item.js";
import type { Late } from "../engine/late.js";
import type { RequestParameters } from "../engine/request-parameters.js";
import type { ToolResult } from "./result.js";

declare module "../engine/definition.js" {
  interface ServerDefinition {
    readonly tools: readonly ToolEntry[];
  }

  interface RuntimeParts {
    /** Fills in the defaults of a tool's schema. */
    readonly withDefaults?: (input: RequestParameters, tool: ToolEntry) => RequestParameters;
    /** Answers for a tool without a handler. @param longest Longest text, in UTF-16 code units. */
    readonly renderFixed?: (
      tool: ToolEntry,
      input: RequestParameters,
      longest: number,
    ) => CallToolResult;
  }
}

/** A tool has a handler, or an answer that stands in the manifest. */
export interface ToolEntry extends ItemSettings, Partial<ItemHandler> {
  /** The item of `tools/list`, as it goes on the wire. */
  readonly definition: Tool;
  /** Other names that the tool answers to; they are in no list. */
  readonly aliases?: readonly string[];
  readonly validators: Late<ToolValidators>;
  /** What stands in for the answer of a handler that is not written yet. */
  readonly mock?: MockAnswer;
  /** What it answers instead to calls that other examples show. */
  readonly mocks?: readonly MockedCall[];
}

/** What a tool's module of validators exports. */
export interface ToolValidators {
  readonly input: Validator;
  /** Absent where the tool has no output schema. */
  readonly output?: Validator;
}

/** An example of the manifest, as a stub answers it in mock mode. */
export interface MockedCall {
  /** Defaults filled in. */
  readonly arguments: object;
  readonly answer: MockAnswer;
}

/**
 * What a stub answers in mock mode to calls that no example shows: what the manifest's first example
 * says, or a value made from the output schema.
 */
export type MockAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly error: string };

/** What a tool handler may return: the typed value where there is an output schema, else text or content. */
export type ToolContent = string | ContentBlock | readonly ContentBlock[] | ToolResult;
