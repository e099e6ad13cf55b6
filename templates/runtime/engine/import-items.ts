import { setImmediate } from "node:timers/promises";
import type { ServerDefinition } from "./definition.js";
import type { CompletionSource, Item, ItemLists } from "./item.js";
import type { Late } from "./awaitable.js";

/**
 * Imports the code and the validators of all items one by one, so that requests are answered in between.
 * @param failed Called with each item that cannot be imported: `tool deploy`.
 */
export async function importItems(
  definition: ServerDefinition,
  failed: (item: string, error: unknown) => void,
): Promise<void> {
  const { tools, resources, resourceTemplates, prompts } = definition as ItemLists<ItemEntry>;
  const lists = { tool: tools, resource: resources, template: resourceTemplates, prompt: prompts };
  for (const [kind, entries = []] of Object.entries(lists)) {
    for (const entry of entries) {
      for (const late of [...codeOf(entry), ...(definition.importsOf?.(entry) ?? [])]) {
        try {
          await late();
        } catch (error) {
          failed(`${kind} ${entry.definition.name}`, error);
        }
        await setImmediate();
      }
    }
  }
}

/** The imports of an item of any kind. */
interface ItemEntry extends Item {
  readonly validators?: Late<unknown>;
  readonly list?: Late<unknown>;
  readonly complete?: Readonly<Record<string, CompletionSource>>;
}

function codeOf({ validators, handler, list, complete = {} }: ItemEntry): Late<unknown>[] {
  const code = [validators, handler, list, ...Object.values(complete)];
  return code.filter((late) => typeof late === "function");
}
