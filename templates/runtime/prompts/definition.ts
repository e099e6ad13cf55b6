import type { Prompt, PromptMessage } from "@modelcontextprotocol/server";
import type { CompletionSource, ItemHandler, ItemSettings } from "../engine/item.js";
import type { FixedBlock } from "../engine/fixed-content.js";
/** A listed prompt. The SDK's type lacks the titles of arguments. */
export type ListedPrompt = Omit<Prompt, "arguments"> & {
  arguments?: (NonNullable<Prompt["arguments"]>[number] & { title?: string })[];
};

/** A prompt. It has a handler, or fixed messages of the manifest. */
export interface PromptEntry extends ItemSettings, Partial<ItemHandler> {
  /** The item of `prompts/list`, as clients get it. */
  readonly definition: ListedPrompt;
  /** The suggestions of `completion/complete`, by argument. */
  readonly complete?: Readonly<Record<string, CompletionSource>>;
  /** The messages of a prompt without a handler. */
  readonly messages?: readonly FixedMessage[];
  /** The answer in mock mode, if the handler is not written yet or would use other services. */
  readonly mock?: string;
}

/** A message of a prompt without a handler. */
export interface FixedMessage {
  /** The speaker: the user or the assistant. */
  readonly role: PromptMessage["role"];
  /** The content of the message. A text is a template with the arguments of the prompt. */
  readonly content: FixedBlock;
}
