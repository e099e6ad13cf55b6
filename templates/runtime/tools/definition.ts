import type { ContentBlock, Tool } from "@modelcontextprotocol/server";
import type { ItemHandler, ItemSettings, Validator } from "../engine/item.js";
import type { Late } from "../engine/awaitable.js";
import type { ToolResult } from "./result.js";
import type { SearchWords } from "../search/definition.js";
import type { TaskSettings } from "../tasks/definition.js";
import type { Defaults } from "./defaults.js";
import type { TextForm } from "./short-content.js";
import type { FixedAnswer } from "./fixed.js";
/** Checks arguments that are valid for a schema. @returns the mistake; undefined where there is none */
export type CheckArguments = (schema: object) => string | undefined;

/** A tool has a handler, or a fixed answer of the manifest. */
export interface ToolEntry extends ItemSettings, Partial<ItemHandler> {
  /** The item of `tools/list`, as it is sent. */
  readonly definition: Tool;
  /** Further names of the tool, which `tools/list` leaves out. */
  readonly aliases?: readonly string[];
  /** How its calls become tasks, for clients that know tasks; absent if they do not. */
  readonly task?: TaskSettings;
  /** How its structured results are told as text, to clients of 2026-07-28; absent for their JSON. */
  readonly text?: TextForm;
  /** Returns the validators, which are imported at the first call. */
  readonly validators: Late<ToolValidators>;
  /** The answer for a handler that is not written yet, in mock mode. */
  readonly mock?: MockAnswer;
  /** Other answers in mock mode, for the calls of further examples. */
  readonly mocks?: readonly MockedCall[];
  /** The words by which search finds the tool. */
  readonly search?: SearchWords;
  /** The defaults that are filled into arguments after they were validated. */
  readonly defaults?: Defaults;
  /** The answer that the manifest states. A tool with an answer has no handler. */
  readonly answer?: FixedAnswer;
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
  /** The answer that the example expects. */
  readonly answer: MockAnswer;
}

/** An answer in mock mode, from an example of the manifest or made from the output schema. */
export type MockAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly error: string };

/** The results that a tool's handler may return, where the tool has no output schema. */
export type ToolContent = string | ContentBlock | readonly ContentBlock[] | ToolResult;
