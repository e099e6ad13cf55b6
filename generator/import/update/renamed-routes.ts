import { nameOfOperation, type Operation } from "../operations.js";
import type { ImportedItem } from "./import-entry.js";
import type { RecordedImport } from "./import-record.js";

/** What was imported once, under the names that its operations have now. */
export interface Followed {
  readonly items: readonly ImportedItem[];
  readonly base: RecordedImport | undefined;
}

/**
 * Follows operations whose path parameters have other names now: `GET /pets/{id}` as `GET /pets/{petId}`. An
 * operation that the document still has under its own name is not taken for another.
 */
export function followRenamedRoutes(
  operations: readonly Operation[],
  items: readonly ImportedItem[],
  base: RecordedImport | undefined,
): Followed {
  const former = new Set([...items.map(({ at }) => at), ...(base?.operations ?? [])]);
  const present = new Set(operations.map(nameOfOperation));
  const gone = [...former].filter((name) => !present.has(name));
  const added = [...present].filter((name) => !former.has(name));
  const addedByShape = new Map(added.map((name) => [shapeOf(name), name]));
  const renamed = new Map(
    gone.flatMap((name): [string, string][] => {
      const now = addedByShape.get(shapeOf(name));
      return now === undefined ? [] : [[name, now]];
    }),
  );
  if (renamed.size === 0) return { items, base };
  const nowCalled = (name: string): string => renamed.get(name) ?? name;
  return {
    items: items.map((item) => ({ ...item, at: nowCalled(item.at) })),
    base: base && {
      ...base,
      operations: new Set([...base.operations].map(nowCalled)),
      tools: new Map([...base.tools].map(([name, tool]) => [nowCalled(name), tool])),
    },
  };
}

/** The name of an operation without those of its parameters, of which a path has one order. */
const shapeOf = (name: string): string => name.replace(/\{[^{}/]*\}/g, "{}");
