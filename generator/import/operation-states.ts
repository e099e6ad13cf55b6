import { textIn } from "./api-document.js";
import { modelSettings, nameOfOperation, tagsOf, type Operation } from "./operations.js";
import { isEmptySelection, selectOperations, type Selection } from "./selection.js";
import { followRenamedRoutes, type FormerImport } from "./update/renamed-routes.js";
import { plainText } from "./texts.js";

/**
 * The state of an operation in the manifest. `imported`: a tool calls it. `deleted`: the author deleted its tool.
 * `new`: the document did not have it at the last import. `chosen`: no tool calls it, and the selection that is listed
 * would import it. `not chosen`: it was never selected. `gone`: the document no longer has it, but a tool calls it.
 */
export type OperationState = "imported" | "deleted" | "new" | "chosen" | "not chosen" | "gone";

export interface ListedOperation {
  /** `GET /orders`. */
  readonly operation: string;
  readonly state: OperationState;
  readonly operationId?: string;
  /** The name of its tool in the manifest. */
  readonly tool?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly isDeprecated?: true;
  /** True if the document hides it from models. */
  readonly isHidden?: true;
}

/**
 * The states of the operations that a selection chooses. Without a selection, these are all operations, and operations
 * that the document no longer has come last.
 */
export function operationStates(
  operations: readonly Operation[],
  former: FormerImport,
  selection: Selection,
): ListedOperation[] {
  const { items, base } = followRenamedRoutes(operations, former.items, former.base);
  const tools = new Map(items.map(({ at, tool }) => [at, String(tool["name"])]));
  const isWhole = isEmptySelection(selection) && selection.exclude.length === 0;
  const stateOf = (name: string): OperationState => {
    if (tools.has(name)) return "imported";
    if (base?.tools.has(name) === true) return "deleted";
    if (base !== undefined && !base.operations.has(name)) return "new";
    return isWhole ? "not chosen" : "chosen";
  };
  const states = (isWhole ? operations : selectOperations(operations, selection)).map(
    (operation): ListedOperation => {
      const name = nameOfOperation(operation);
      const tool = tools.get(name);
      const id = textIn(operation.value, "operationId");
      const summary = plainText(textIn(operation.value, "summary") ?? "");
      return {
        operation: name,
        state: stateOf(name),
        ...(id !== undefined && { operationId: id }),
        ...(tool !== undefined && { tool }),
        ...(summary !== "" && { summary }),
        tags: tagsOf(operation),
        ...(operation.value["deprecated"] === true && { isDeprecated: true }),
        ...(modelSettings(operation).isHidden && { isHidden: true }),
      };
    },
  );
  if (!isWhole) return states;
  const presentNames = new Set(operations.map(nameOfOperation));
  const removedOperations = [...tools].filter(([name]) => !presentNames.has(name));
  return [
    ...states,
    ...removedOperations.map(([operation, tool]): ListedOperation => {
      return { operation, state: "gone", tool, tags: [] };
    }),
  ];
}
