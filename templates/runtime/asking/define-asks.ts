import { cachedImport, type Late } from "../engine/awaitable.js";
import type { Item } from "../engine/item.js";
import type { Asks, Elicitation } from "./definition.js";

/** Makes the entry `asks` of an item. The validators of its forms are imported before the handler runs. */
export function defineAsks({ elicitations = {}, ...rest }: Asks): Asks {
  const imports: Late<unknown>[] = [];
  const cached = Object.entries(elicitations).map(([key, elicitation]): [string, Elicitation] => {
    if (elicitation.kind !== "form") return [key, elicitation];
    const validator = cachedImport(elicitation.validator);
    imports.push(validator);
    return [key, { ...elicitation, validator }];
  });
  return { ...rest, elicitations: Object.fromEntries(cached), imports };
}

/** Returns the validators of an item's forms. */
export const formImports = ({ asks }: Item): readonly Late<unknown>[] => asks?.imports ?? [];
