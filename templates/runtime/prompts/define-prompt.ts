import { cachedCompletions, type CompletionSources } from "../completion/define-completions.js";
import { cachedHandler, type ItemCode } from "../engine/define-item.js";
import type { PromptEntry } from "./definition.js";
import type { PromptContent } from "./prompts.js";

/** A prompt, as its module defines it. `Context` is the second argument of its handler. */
export type PromptDefinition<Arguments, Context> = Omit<PromptEntry, "handler" | "complete"> &
  ItemCode<Arguments, PromptContent, Context> &
  CompletionSources<Arguments, Context>;

/** Makes the entry of a prompt in the server's tables. */
export function definePrompt<Arguments, Context>(
  prompt: PromptDefinition<Arguments, Context>,
): PromptEntry {
  const { handler: _handler, complete, ...rest } = prompt;
  return { ...rest, ...cachedHandler(prompt), ...cachedCompletions(complete) };
}
