import type { Prompt, PromptMessage } from "@modelcontextprotocol/server";
import type { CompletionSource, HandlerBehaviour, ItemSettings } from "../engine/definition.js";
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

export interface PromptEntry extends ItemSettings {
  /** The item of `prompts/list`, as it goes on the wire. */
  readonly definition: ListedPrompt;
  /** Values offered by `completion/complete`, by argument. */
  readonly complete?: Readonly<Record<string, CompletionSource>>;
  readonly behaviour:
    HandlerBehaviour | { readonly kind: "messages"; readonly messages: readonly FixedMessage[] };
}

export interface FixedMessage {
  readonly role: PromptMessage["role"];
  readonly content: FixedBlock;
}
