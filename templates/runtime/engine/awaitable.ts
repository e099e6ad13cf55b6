import { askable } from "./describe-error.js";

/**
 * A value, or the promise of one. Values are passed on without a promise: in a call whose handler waits for
 * nothing, promises would cost more than everything else.
 */
export type Awaitable<Value> = Value | Promise<Value>;

/** Turns any kind of promise into a `Promise`; other values stay as they are. */
export function toAwaitable(returned: unknown): Awaitable<unknown> {
  if (returned instanceof Promise || !isThenable(returned)) return returned;
  return Promise.resolve(returned);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return "then" in value && typeof value.then === "function";
}

/** Calls `next` with the value, once it is there. @throws what `next` throws, where the value is no promise */
export function after<Value, Next>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does some work and, where it fails, calls `failed`. @throws what `failed` throws, where the work fails at once */
export function recover<Value>(
  work: () => Awaitable<Value>,
  failed: (error: unknown) => Awaitable<Value>,
): Awaitable<Value> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch((error) => failed(askable(error))) : value;
  } catch (error) {
    return failed(askable(error));
  }
}
