import { nameOfOperation, type Operation } from "../operations.js";
import type { ImportedItem } from "./import-entry.js";
import type { RecordedImport } from "./import-record.js";

/** Formerly imported tools and their record, under the present names of their operations. */
export interface Followed {
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

/** The name of an operation without the names of its parameters. */
const shapeOf = (name: string): string => name.replace(/\{[^{}/]*\}/g, "{}");
