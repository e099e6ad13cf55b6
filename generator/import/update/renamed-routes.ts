import { nameOfOperation, type Operation } from "../operations.js";
import type { ImportedItem } from "./import-entry.js";
import type { RecordedImport } from "./import-record.js";

/** The tools and the record of former imports of a document. Empty if there was none. */
export interface FormerImport {
  readonly items: readonly ImportedItem[];
  readonly base: RecordedImport | undefined;
}

/**
 * Finds operations whose path parameters were renamed: `GET /pets/{id}` is now `GET /pets/{petId}`. An operation that
 * the document still has under its former name is not renamed.
 */
export function followRenamedRoutes(
  operations: readonly Operation[],
  items: readonly ImportedItem[],
  base: RecordedImport | undefined,
): FormerImport {
  const formerNames = new Set([...items.map(({ at }) => at), ...(base?.operations ?? [])]);
  const presentNames = new Set(operations.map(nameOfOperation));
  const removedNames = [...formerNames].filter((name) => !presentNames.has(name));
  const newNames = [...presentNames].filter((name) => !formerNames.has(name));
  const newNamesByShape = new Map(newNames.map((name) => [shapeOf(name), name]));
  const renamedRoutes = new Map(
    removedNames.flatMap((name): [string, string][] => {
      const newName = newNamesByShape.get(shapeOf(name));
      return newName === undefined ? [] : [[name, newName]];
    }),
  );
  if (renamedRoutes.size === 0) return { items, base };
  const presentName = (name: string): string => renamedRoutes.get(name) ?? name;
  return {
    items: items.map((item) => ({ ...item, at: presentName(item.at) })),
    base: base && {
      ...base,
      operations: new Set([...base.operations].map(presentName)),
      tools: new Map([...base.tools].map(([name, tool]) => [presentName(name), tool])),
    },
  };
}

/** The name of an operation without the names of its parameters. */
const shapeOf = (name: string): string => name.replace(/\{[^{}/]*\}/g, "{}");
