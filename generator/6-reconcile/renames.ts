import { itemsOf } from "../model/items.js";
import { codeKindsOf, type ItemId } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";

/** The former ids of each renamed item, by its id. */
export type Renames = ReadonlyMap<ItemId, readonly ItemId[]>;

/** The renames that a model declares, for items and for the code in addition to their handlers. */
export function renamesOf(model: ServerModel): Renames {
  return new Map(
    itemsOf(model)
      .filter(({ formerNames = [] }) => formerNames.length > 0)
      .flatMap(({ kind: itemKind, name, formerNames = [] }) =>
        [itemKind, ...(codeKindsOf[itemKind] ?? [])].map((kind) => [
          `${kind}:${name}` as const,
          formerNames.map((former): ItemId => `${kind}:${former}`),
        ]),
      ),
  );
}
