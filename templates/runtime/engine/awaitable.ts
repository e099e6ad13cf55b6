import { inspectable } from "./describe-error.js";

/**
 * A value, or the promise of one. Values are passed on without a promise: for a handler that waits for
 * nothing, promises would take most of the time of a call.
 */
export type Awaitable<Value> = Value | Promise<Value>;

/** Converts a thenable to a `Promise`, and returns other values unchanged. */
export function toAwaitable(returned: unknown): Awaitable<unknown> {
  if (returned instanceof Promise || !isThenable(returned)) return returned;
  return Promise.resolve(returned);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return "then" in value && typeof value.then === "function";
}

/** Calls `next` with the value when that is available. @throws what `next` throws, if the value is no promise */
export function after<Value, Next>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does some work and, if it fails, calls `failed`. @throws what `failed` throws, if the work threw */
export function recover<Value>(
  work: () => Awaitable<Value>,
  failed: (error: unknown) => Awaitable<Value>,
): Awaitable<Value> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch((error) => failed(inspectable(error))) : value;
  } catch (error) {
    return failed(inspectable(error));
  }
}

/** Returns an export of a module. The first call imports the module, and later calls return no promise. */
export type Late<Value> = () => Awaitable<Value>;

/** Imports a value when it is first needed, and caches it. If the import fails, the next call tries again. */
export function cachedImport<Value>(load: () => Awaitable<Value>): Late<Value> {
  let cached: { readonly value: Value } | undefined;
  const keep = (value: Value): Value => {
    cached = { value };
    return value;
  };
  return () => {
    if (cached !== undefined) return cached.value;
    const loading = load();
    return loading instanceof Promise ? loading.then(keep) : keep(loading);
  };
}
