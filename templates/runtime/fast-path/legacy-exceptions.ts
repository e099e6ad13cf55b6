import type { Engine } from "../engine/engine.js";
import { isObject } from "../engine/request-parameters.js";
import type { FastPathRequest } from "./request.js";

/**
 * Makes the test for requests of the older eras that only the SDK can answer: for items that a runner
 * runs, and for tools whose output the SDK wraps in an object.
 */
export function legacyExceptions({
  definition: { tools },
  methods,
  runner,
}: Engine): (request: FastPathRequest) => boolean {
  const wrapsAny = tools.some(({ definition }) => wraps(definition));
  // Most servers have neither.
  if (runner === undefined && !wrapsAny) return () => false;
  return ({ name, parameters }) => {
    if (name === "tools/list") return wrapsAny;
    const item = methods.get(name)?.itemOf?.(parameters);
    return item !== undefined && (runner?.runs(item) || wraps(item.definition));
  };
}

/** Whether the output of a tool is wrapped in an object for the older eras. */
function wraps(definition: { readonly outputSchema?: unknown }): boolean {
  const { outputSchema } = definition;
  return isObject(outputSchema) && outputSchema["type"] !== "object";
}
