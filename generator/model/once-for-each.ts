/**
 * A function that computes its result once for each object, however often it is asked: for objects that
 * never change, and of which one stands for many equal ones.
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
