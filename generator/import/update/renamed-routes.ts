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
 * Finds operations that have another path now: `GET /pets/{id}` is `GET /v2/pets/{id}`, where the `operationId` is the same,
 * or else `GET /pets/{petId}`, where parameters were renamed. An operation that the document still has under its former
 * path has not moved, and one whose `operationId` another operation has is not that with the renamed parameters.
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
  const movedRoutes = new Map(
    removedNames.flatMap((name): [string, string][] => {
      const newName = movedName(name, removedNames, newOperations, base);
      return newName === undefined ? [] : [[name, newName]];
    }),
  );
  const takenNames = new Set(movedRoutes.values());
  const restByShape = new Map(
    newOperations
      .filter((one) => !takenNames.has(nameOfOperation(one)))
      .map((one) => [shapeOf(nameOfOperation(one)), one]),
  );
  const reshapedRoutes = removedNames.flatMap((name): [string, string][] => {
    const found = movedRoutes.has(name) ? undefined : restByShape.get(shapeOf(name));
    if (found === undefined) return [];
    const hasId = (operation: Operation): boolean => hasIdOf(operation, name, base);
    return hasId(found) || !operations.some(hasId) ? [[name, nameOfOperation(found)]] : [];
  });
  const renamedRoutes = new Map([...movedRoutes, ...reshapedRoutes]);
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

/** True if an operation has the `operationId` from which the tool of a former operation got its name. */
function hasIdOf(operation: Operation, former: string, base: RecordedImport | undefined): boolean {
  const tool = base?.tools.get(former);
  const toolName = isJsonObject(tool) ? tool["name"] : undefined;
  if (preferredName(operation) === undefined || typeof toolName !== "string") return false;
  return isMadeFrom(operation, toolName);
}

/** The name of the only new operation with the method and the `operationId` of a removed one; undefined if there is none. */
function movedName(
  removed: string,
  removedNames: readonly string[],
  newOperations: readonly Operation[],
  base: RecordedImport | undefined,
): string | undefined {
  const isMovedTo = (operation: Operation, name: string): boolean =>
    name.startsWith(`${operation.method.toUpperCase()} `) && hasIdOf(operation, name, base);
  const [found, ...others] = newOperations.filter((operation) => isMovedTo(operation, removed));
  if (found === undefined || others.length > 0) return undefined;
  const isOnly = removedNames.filter((name) => isMovedTo(found, name)).length === 1;
  return isOnly ? nameOfOperation(found) : undefined;
}
