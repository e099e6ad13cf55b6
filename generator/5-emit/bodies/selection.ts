import type { SelectModel } from "../../model/bodies.js";
import { selectionCode } from "../../selection/selection-code.js";
import type { Entry } from "../modules/item-settings.js";

/** The option `select` of the call that makes a result, and the steps of the runtime that it takes. */
export interface SelectionOption {
  readonly options: readonly Entry[];
  readonly steps: readonly string[];
}

/**
 * The code of what a body selects; no option if it does not.
 *
 * @param answer what the answer is called in the code
 * @param taken names that the code around it has
 */
export function selectionOption(
  select: SelectModel | undefined,
  answer: string,
  taken: readonly string[],
): SelectionOption {
  if (select === undefined) return { options: [], steps: [] };
  const { code, steps } = selectionCode(select.selection, answer, taken);
  return { options: [["select", code]], steps };
}
