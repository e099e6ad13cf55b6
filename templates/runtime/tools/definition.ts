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
    /**
     * Prepares the arguments of a call before they are validated. @returns a function that finds a further
     * mistake in valid arguments; undefined where there can be none
     */
    readonly prepareArguments?: (input: RequestParameters) => CheckArguments | undefined;
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

/** Checks arguments that are valid for a schema. @returns the mistake; undefined where there is none */
export type CheckArguments = (schema: object) => string | undefined;

/** A tool has a handler, or a fixed answer of the manifest. */
export interface ToolEntry extends ItemSettings, Partial<ItemHandler> {
  /** The item of `tools/list`, as it is sent. */
  readonly definition: Tool;
  /** Further names of the tool, which `tools/list` leaves out. */
  readonly aliases?: readonly string[];
  readonly validators: Late<ToolValidators>;
  /** The answer for a handler that is not written yet, in mock mode. */
  readonly mock?: MockAnswer;
  /** Other answers in mock mode, for the calls of further examples. */
  readonly mocks?: readonly MockedCall[];
}

/** The exports of a tool's module of validators. */
export interface ToolValidators {
  readonly input: Validator;
  /** Absent where the tool has no output schema. */
  readonly output?: Validator;
}

/** An example of the manifest. In mock mode, a call with its arguments gets its answer. */
export interface MockedCall {
  /** The arguments of the example, with defaults filled in. */
  readonly arguments: object;
  readonly answer: MockAnswer;
}

/** An answer in mock mode, from an example of the manifest or made from the output schema. */
export type MockAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly error: string };

/** The results that a tool's handler may return, where the tool has no output schema. */
export type ToolContent = string | ContentBlock | readonly ContentBlock[] | ToolResult;
