import type { Prompt, PromptMessage } from "@modelcontextprotocol/server";
import type { CompletionSource, ItemHandler, ItemSettings } from "../engine/item.js";
import type { FixedBlock } from "../engine/fixed-content.js";

declare module "../engine/definition.js" {
  interface ServerDefinition {
    readonly prompts: readonly PromptEntry[];
  }
}

/** A prompt as it is listed; the SDK's type leaves out the titles of arguments. */
export type ListedPrompt = Omit<Prompt, "arguments"> & {
  arguments?: (NonNullable<Prompt["arguments"]>[number] & { title?: string })[];
};

/** A prompt has a handler, or fixed messages of the manifest. */
export interface PromptEntry extends ItemSettings, Partial<ItemHandler> {
  /** The item of `prompts/list`, as it goes on the wire. */
  readonly definition: ListedPrompt;
  /** Values offered by `completion/complete`, by argument. */
  readonly complete?: Readonly<Record<string, CompletionSource>>;
  readonly messages?: readonly FixedMessage[];
  /** The answer of mock mode, where the handler would ask others. */
  readonly mock?: string;
}

export interface FixedMessage {
  readonly role: PromptMessage["role"];
  readonly content: FixedBlock;
}
