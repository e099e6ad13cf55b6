import type { CompletionContract } from "./completions.js";
import type { ItemContract, JsonObject, ListSettings } from "../contract.js";

export interface PromptsContract {
  readonly settings: ListSettings;
  /** The items of `prompts/list`. */
  readonly list: readonly JsonObject[];
  readonly prompts: readonly PromptContract[];
}

export interface PromptContract extends ItemContract {
  readonly description?: string;
  readonly required: readonly string[];
  readonly cases: readonly {
    readonly arguments: Readonly<Record<string, string>>;
    /** Absent if a handler makes the messages. */
    readonly messages?: readonly JsonObject[];
  }[];
  readonly completions: readonly CompletionContract[];
  /** The text that a stub answers with in mock mode. */
  readonly mockText?: string;
}
