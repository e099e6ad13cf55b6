import type { Awaitable } from "./awaitable.js";

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
