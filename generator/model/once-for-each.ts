/**
 * Wraps a function so that it computes its result once for each object and then returns the cached result.
 * Use it only with objects that never change.
 */
export function onceForEach<Key extends object, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const found = results.get(key);
    if (found !== undefined) return found.result;
    const result = compute(key);
    results.set(key, { result });
    return result;
  };
}
