import { itemsOf } from "../model/items.js";
import { codeKindsOf, type ItemId } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";

/** Id of each item that says what it was called before → its former ids. */
export type Renames = ReadonlyMap<ItemId, readonly ItemId[]>;

/** The renames that a model declares, of its items and of what is written beside their handlers. */
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
