import type { CompletionSources } from "../completion/definition.js";
import { type Awaitable, cachedImport } from "../engine/awaitable.js";
import type { AnyHandler, CompletionSource, ItemHandler } from "../engine/item.js";
import type { PromptEntry } from "../prompts/definition.js";
import type { PromptContent } from "../prompts/prompts.js";
import type { ResourceContent } from "../resources/content.js";
import type { ResourceEntry, ResourceTemplateEntry } from "../resources/definition.js";
import type { ListedInstance } from "../resources/instances.js";
import type { ToolEntry } from "../tools/definition.js";
import type { ToolResult } from "../tools/result.js";

/** The code of an item, as its module defines it. It is imported at the first use. */
export interface ItemCode<Input, Output, Context> {
  /** Absent if the manifest contains the answer. */
  readonly handler?: () => Promise<(input: Input, ctx: Context) => Awaitable<Output>>;
}

/** A tool, as its module states it. `Input` and `Context` are the arguments of its handler, `Output` its result. */
export type ToolDefinition<Input, Output, Context> = Omit<ToolEntry, "handler"> &
  ItemCode<Input, Output | ToolResult<Output>, Context>;

/**
 * Makes the entry of a tool, for `tools` of `defineServer`. `handler` and `validators` import code at its first use; one that
 * cannot be imported is logged, and calls of the tool fail. Arguments are validated before the handler gets them. It
 * returns the value for `outputSchema`, or content, and its errors are those of `ToolError`.
 */
export function defineTool<Input, Output, Context>(
  tool: ToolDefinition<Input, Output, Context>,
): ToolEntry {
  const { handler: _handler, validators, ...rest } = tool;
  return { ...rest, ...cachedHandler(tool), validators: cachedImport(validators) };
}

/** A resource, as its module defines it. `Context` is the second argument of its handler. */
export type ResourceDefinition<Uri, Context> = Omit<ResourceEntry, "handler"> &
  ItemCode<Uri, ResourceContent, Context>;

/** A resource template, as its module defines it. `Context` is the second argument of its handler. */
export type ResourceTemplateDefinition<Variables, Context> = Omit<
  ResourceTemplateEntry,
  "handler" | "complete" | "list"
> &
  Required<Pick<ItemCode<Variables, ResourceContent, Context>, "handler">> &
  CompletionSources<Variables, Context> & {
    /** Imports the handler that lists the instances. */
    readonly list?: () => Promise<
      (ctx: Context) => Awaitable<readonly ListedInstance<Variables>[]>
    >;
  };

/**
 * Makes the entry of a resource, for `resources` of `defineServer`. `handler` imports the handler at its first use, which gets
 * the URI; without a handler, the resource has a text, a blob or a file.
 */
export function defineResource<Uri, Context>(
  resource: ResourceDefinition<Uri, Context>,
): ResourceEntry {
  const { handler: _handler, ...rest } = resource;
  return { ...rest, ...cachedHandler(resource) };
}

/**
 * Makes the entry of a resource template, for `resourceTemplates` of `defineServer`. The handler gets the decoded values of the
 * variables, and throws a `NotFoundError` where they name no resource.
 */
export function defineResourceTemplate<Variables, Context>(
  template: ResourceTemplateDefinition<Variables, Context>,
): ResourceTemplateEntry {
  const { handler: _handler, complete, list, ...rest } = template;
  return {
    ...rest,
    ...(cachedHandler(template) as ItemHandler),
    ...cachedCompletions(complete),
    ...(list && { list: cachedImport(list as () => Promise<(context: never) => unknown>) }),
  };
}

/** A prompt, as its module defines it. `Context` is the second argument of its handler. */
export type PromptDefinition<Arguments, Context> = Omit<PromptEntry, "handler" | "complete"> &
  ItemCode<Arguments, PromptContent, Context> &
  CompletionSources<Arguments, Context>;

/**
 * Makes the entry of a prompt, for `prompts` of `defineServer`. The handler gets the arguments, all texts; without a handler, the
 * prompt has fixed messages.
 */
export function definePrompt<Arguments, Context>(
  prompt: PromptDefinition<Arguments, Context>,
): PromptEntry {
  const { handler: _handler, complete, ...rest } = prompt;
  return { ...rest, ...cachedHandler(prompt), ...cachedCompletions(complete) };
}

/** Converts the handler to the form of the server's tables: its import is cached, and its types are erased. */
function cachedHandler<Input, Output, Context>({
  handler,
}: ItemCode<Input, Output, Context>): Partial<ItemHandler> {
  if (handler === undefined) return {};
  return { handler: cachedImport(handler as () => Promise<AnyHandler<unknown>>) };
}

/** Converts completions to the form of the server's tables: imports are cached, and the types of handlers erased. */
function cachedCompletions(complete: Readonly<Record<string, unknown>> | undefined): {
  readonly complete?: Readonly<Record<string, CompletionSource>>;
} {
  if (complete === undefined) return {};
  const sources = Object.entries(complete).map(([name, source]) => [
    name,
    typeof source === "function"
      ? cachedImport(source as () => Promise<AnyHandler<unknown>>)
      : source,
  ]);
  return { complete: Object.fromEntries(sources) as Record<string, CompletionSource> };
}
