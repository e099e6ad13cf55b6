import { isJsonObject } from "../../model/json.js";
import { nameOfOperation, preferredName, type Operation } from "../operations.js";
import { isMadeFrom } from "../tool-names.js";
import type { ImportedItem } from "./import-entry.js";
import type { RecordedImport } from "./import-record.js";

/** The tools and the record of former imports of a document. Empty if there was none. */
export interface FormerImport {
  readonly items: readonly ImportedItem[];
  readonly base: RecordedImport | undefined;
}

/**
 * Finds operations that have another path now: `GET /pets/{id}` is `GET /pets/{petId}`, where parameters were renamed, or
 * `GET /v2/pets/{id}`, where the `operationId` is the same. An operation that the document still has under its former
 * path has not moved.
 */
export function followRenamedRoutes(
  operations: readonly Operation[],
  items: readonly ImportedItem[],
  base: RecordedImport | undefined,
): FormerImport {
  const formerNames = new Set([...items.map(({ at }) => at), ...(base?.operations ?? [])]);
  const presentNames = new Set(operations.map(nameOfOperation));
  const removedNames = [...formerNames].filter((name) => !presentNames.has(name));
  const newOperations = operations.filter((one) => !formerNames.has(nameOfOperation(one)));
  const newNamesByShape = new Map(
    newOperations.map(nameOfOperation).map((name) => [shapeOf(name), name]),
  );
  const renamedRoutes = new Map(
    removedNames.flatMap((name): [string, string][] => {
      const newName =
        newNamesByShape.get(shapeOf(name)) ?? movedName(name, removedNames, newOperations, base);
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

/** The name of the only new operation with the method and the `operationId` of a removed one; undefined if there is none. */
function movedName(
  removed: string,
  removedNames: readonly string[],
  newOperations: readonly Operation[],
  base: RecordedImport | undefined,
): string | undefined {
  const hasIdOf = (operation: Operation) => (name: string) => {
    const tool = base?.tools.get(name);
    const toolName = isJsonObject(tool) ? tool["name"] : undefined;
    const isSameMethod = name.startsWith(`${operation.method.toUpperCase()} `);
    return isSameMethod && typeof toolName === "string" && isMadeFrom(operation, toolName);
  };
  const [found, ...others] = newOperations.filter(
    (operation) => preferredName(operation) !== undefined && hasIdOf(operation)(removed),
  );
  if (found === undefined || others.length > 0) return undefined;
  return removedNames.filter(hasIdOf(found)).length === 1 ? nameOfOperation(found) : undefined;
}
