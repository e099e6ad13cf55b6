import type { Engine } from "../engine/engine.js";
import { isObject } from "../engine/request-parameters.js";
import type { FastPathRequest } from "./request.js";

/**
 * Says of requests of the older eras whether they are about what takes the SDK: items that may ask their
 * client, and tools whose output the SDK puts into an object.
 */
export function legacyExceptions({
  definition: { tools, createAsking },
  methods,
}: Engine): (request: FastPathRequest) => boolean {
  const wrapsAny = tools.some(({ definition }) => wraps(definition));
  // Most servers have neither, and need not look for it.
  if (createAsking === undefined && !wrapsAny) return () => false;
  return ({ name, parameters }) => {
    if (name === "tools/list") return wrapsAny;
    const item = methods.get(name)?.itemOf?.(parameters);
    return item !== undefined && (item.asks !== undefined || wraps(item.definition));
  };
}

/** Whether the older eras get what a tool returns inside an object. */
function wraps(definition: { readonly outputSchema?: unknown }): boolean {
  const { outputSchema } = definition;
  return isObject(outputSchema) && outputSchema["type"] !== "object";
}
