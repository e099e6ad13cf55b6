import { textIn } from "./api-document.js";
import { forModels, nameOfOperation, tagsOf, type Operation } from "./operations.js";
import { isOpen, selected, type Selection } from "./selection.js";
import type { ImportedItem } from "./update/import-entry.js";
import type { RecordedImport } from "./update/import-record.js";
import { followRenamedRoutes } from "./update/renamed-routes.js";
import { plainText } from "./texts.js";

/**
 * What became of an operation: a tool of the manifest has it; its tool was deleted by the author; the document has
 * gained it since the last import; it was not chosen; or the document has lost it.
 */
export type OperationState = "imported" | "deleted" | "new" | "not chosen" | "gone";

export interface ListedOperation {
  /** `GET /orders`. */
  readonly operation: string;
  readonly state: OperationState;
  /** The name of its tool in the manifest. */
  readonly tool?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly isDeprecated?: true;
  /** Whether the document keeps it from models. */
  readonly isHidden?: true;
}

/** What is known of former imports of a document: nothing, where there was none. */
export interface FormerImport {
  readonly items: readonly ImportedItem[];
  readonly base: RecordedImport | undefined;
}

/** The operations of a document that a selection has, and what became of each. Without a selection, those that are gone come last. */
export function operationStates(
  operations: readonly Operation[],
  former: FormerImport,
  selection: Selection,
): ListedOperation[] {
  const { items, base } = followRenamedRoutes(operations, former.items, former.base);
  const tools = new Map(items.map(({ at, tool }) => [at, String(tool["name"])]));
  const stateOf = (name: string): OperationState => {
    if (tools.has(name)) return "imported";
    if (base?.tools.has(name) === true) return "deleted";
    return base !== undefined && !base.operations.has(name) ? "new" : "not chosen";
  };
  const all = isOpen(selection) && selection.exclude.length === 0;
  const listed = (all ? operations : selected(operations, selection)).map(
    (operation): ListedOperation => {
      const name = nameOfOperation(operation);
      const tool = tools.get(name);
      const summary = plainText(textIn(operation.value, "summary") ?? "");
      return {
        operation: name,
        state: stateOf(name),
        ...(tool !== undefined && { tool }),
        ...(summary !== "" && { summary }),
        tags: tagsOf(operation),
        ...(operation.value["deprecated"] === true && { isDeprecated: true }),
        ...(forModels(operation).isHidden && { isHidden: true }),
      };
    },
  );
  if (!all) return listed;
  const present = new Set(operations.map(nameOfOperation));
  const gone = [...tools].filter(([name]) => !present.has(name));
  return [
    ...listed,
    ...gone.map(([operation, tool]): ListedOperation => {
      return { operation, state: "gone", tool, tags: [] };
    }),
  ];
}
