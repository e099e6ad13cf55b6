import type { Awaitable } from "../engine/awaitable.js";
import { cachedCompletions, type CompletionSources } from "../completion/define-completions.js";
import { cachedHandler, type ItemCode } from "../engine/define-item.js";
import type { ItemHandler } from "../engine/item.js";
import { cachedImport } from "../engine/late.js";
import type { ResourceContent } from "./content.js";
import type { ResourceEntry, ResourceTemplateEntry } from "./definition.js";
import type { ListedInstance } from "./instances.js";

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

/** Makes the entry of a resource in the server's tables. */
export function defineResource<Uri, Context>(
  resource: ResourceDefinition<Uri, Context>,
): ResourceEntry {
  const { handler: _handler, ...rest } = resource;
  return { ...rest, ...cachedHandler(resource) };
}

/** Makes the entry of a resource template in the server's tables. */
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
