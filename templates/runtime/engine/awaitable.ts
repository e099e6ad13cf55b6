import { askable } from "./describe-error.js";

/**
 * A value, or the promise of one. What is known at once is handed on at once: the promises of a call
 * whose handler waits for nothing would cost more than all the rest of it.
 */
export type Awaitable<Value> = Value | Promise<Value>;

/** What code returned that may be a promise of any make, or none. */
export function toAwaitable(returned: unknown): Awaitable<unknown> {
  if (returned instanceof Promise || !isThenable(returned)) return returned;
  return Promise.resolve(returned);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return "then" in value && typeof value.then === "function";
}

/** What `next` makes of a value. @throws what `next` throws, where the value is there */
export function after<Value, Next>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What comes of some work or, where it fails, of that. @throws what `failed` throws, where the work fails at once */
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
