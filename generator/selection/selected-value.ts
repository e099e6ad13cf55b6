import * as steps from "../../templates/runtime/selection/selection.js";
import type { FunctionName, Selection } from "../model/selection.js";

/**
 * What a selection makes of a value: the same as its generated code, by the same steps of the runtime.
 *
 * @throws SelectionError if a function gets a value of a type that it does not take
 */
export function selectedValue(selection: Selection, current: unknown): unknown {
  const of = (inner: Selection): unknown => selectedValue(inner, current);
  switch (selection.kind) {
    case "current":
      return current;
    case "literal":
      return selection.value;
    case "member":
      return steps.at(current, selection.name);
    case "item":
      return steps.nth(current, selection.index);
    case "slice":
      return steps.slice(current, selection.start, selection.stop, selection.step);
    case "then":
      return selectedValue(selection.next, of(selection.first));
    case "flat":
      return steps.flat(of(selection.of));
    case "members":
      return steps.members(of(selection.of));
    case "where":
      return steps.where(of(selection.of), (one) => selectedValue(selection.test, one));
    case "each":
      return steps.each(of(selection.of), (one) => selectedValue(selection.select, one));
    case "object":
      return steps.present(current, () =>
        Object.fromEntries(selection.members.map(([name, value]) => [name, of(value)])),
      );
    case "list":
      return steps.present(current, () => selection.items.map(of));
    case "either":
      return steps.either(of(selection.first), () => of(selection.other));
    case "both":
      return steps.both(of(selection.first), () => of(selection.other));
    case "not":
      return !steps.holds(of(selection.of));
    case "compare":
      return compared(selection.operator, of(selection.left), of(selection.right));
    case "call":
      return CALLED[selection.name](...selection.given.map(of));
  }
}

function compared(
  operator: Extract<Selection, { kind: "compare" }>["operator"],
  left: unknown,
  right: unknown,
): unknown {
  if (operator === "==") return steps.equal(left, right);
  if (operator === "!=") return !steps.equal(left, right);
  return steps.compare(left, operator, right);
}

/** The function of the runtime for each function of JMESPath. */
export const STEP_OF_FUNCTION = {
  contains: "contains",
  ends_with: "endsWith",
  join: "join",
  keys: "keys",
  length: "count",
  not_null: "notNull",
  starts_with: "startsWith",
  sum: "sum",
  to_string: "asText",
  values: "values",
} as const satisfies Readonly<Record<FunctionName, keyof typeof steps>>;

const CALLED = Object.fromEntries(
  Object.entries(STEP_OF_FUNCTION).map(([name, step]) => [name, steps[step]]),
) as Readonly<Record<FunctionName, (...given: unknown[]) => unknown>>;
