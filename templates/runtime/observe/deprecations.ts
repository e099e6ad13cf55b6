import type { Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Method, Methods } from "../engine/feature.js";
import type { Deprecation, Item } from "../engine/item.js";
import type { RequestParameters } from "../engine/request-parameters.js";
import type { ServerOptions } from "../server/create-server.js";
import type { Facility } from "../server/facility.js";

/** The time between two warnings about one item, in milliseconds. */
const PAUSE_MS = 60 * 60 * 1_000;

/** The uses of a deprecated item of which the log has not told yet. */
interface Uses {
  /** When the log told of it last. */
  toldAt: number;
  count: number;
}

/** Makes the facility that warns of deprecated items at their use: at the first, and then at most once an hour. */
export function createDeprecations(
  _definition: ServerDefinition,
  { log }: ServerOptions,
  _limits: unknown,
  now = Date.now,
): Facility {
  const usesOf = new Map<Item, Uses>();
  const note = (item: Item, deprecation: Deprecation): void => {
    const uses = usesOf.get(item) ?? { toldAt: -Infinity, count: 0 };
    usesOf.set(item, uses);
    uses.count++;
    if (now() - uses.toldAt < PAUSE_MS) return;
    const { count } = uses;
    Object.assign(uses, { toldAt: now(), count: 0 });
    log?.warning("A deprecated item was used", {
      item: item.definition.name,
      ...deprecation,
      count,
    });
  };
  const noting = (method: Method): Method => {
    if (method.itemOf === undefined) return method;
    const answer = (
      parameters: RequestParameters,
      caller: Caller,
    ): ReturnType<Method["answer"]> => {
      const item = method.itemOf?.(parameters, caller);
      if (item?.deprecated !== undefined) note(item, item.deprecated);
      return method.answer(parameters, caller);
    };
    return { ...method, answer };
  };
  return {
    wrapMethods: (methods): Methods =>
      Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, noting(method)])),
  };
}
