import type { Awaitable } from "./awaitable.js";

/** Gives what a module exports: the first call imports the module, later ones have it at once. */
export type Late<Value> = () => Awaitable<Value>;

/** Imports something when it is first needed, and keeps it. Where that fails, the next call tries again. */
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
