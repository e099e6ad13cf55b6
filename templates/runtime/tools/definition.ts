import type { CallToolResult, ContentBlock, Tool } from "@modelcontextprotocol/server";
import type { HandlerBehaviour, ItemSettings, Validator } from "../engine/definition.js";
import type { RequestParameters } from "../engine/request-parameters.js";
import type { ToolResult } from "./result.js";

declare module "../engine/definition.js" {
  interface ServerDefinition {
    readonly tools: readonly ToolEntry[];
  }
}

declare module "../engine/parts.js" {
  interface RuntimeParts {
    /** Fills in the defaults of a tool's schema. */
    readonly withDefaults?: (input: RequestParameters, tool: ToolEntry) => RequestParameters;
    /** Answers for a tool whose answer stands in the manifest. @param longest Longest text, in UTF-16 code units. */
    readonly renderFixed?: (
      answer: FixedAnswer,
      input: RequestParameters,
      longest: number,
    ) => CallToolResult;
  }
}

export interface ToolEntry extends ItemSettings {
  /** The item of `tools/list`, as it goes on the wire. */
  readonly definition: Tool;
  /** Other names that the tool answers to; they are in no list. */
  readonly aliases?: readonly string[];
  readonly validateInput: Validator;
  readonly validateOutput?: Validator;
  readonly behaviour: OwnBehaviour | FixedAnswer;
}

/** A tool's own code, and what it answers in mock mode until that is written. */
export interface OwnBehaviour extends HandlerBehaviour {
  readonly mock: MockAnswer;
  /** What it answers instead to calls that other examples show. */
  readonly mocks?: readonly MockedCall[];
}

/** An example of the manifest, as a stub answers it in mock mode. */
export interface MockedCall {
  /** Defaults filled in. */
  readonly arguments: object;
  readonly answer: MockAnswer;
}

/** An answer that stands in the manifest; `fixed.ts` has its members. */
export interface FixedAnswer {
  readonly kind: "fixed";
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
