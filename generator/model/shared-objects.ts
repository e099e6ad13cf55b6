import { onceForEach } from "./once-for-each.js";

/*
 * Objects that stand in many documents, such as a shared schema among the definitions of each schema that uses it. What
 * is made of one of them is worth keeping; of the many others, it would only take memory.
 */

const shared = new WeakSet<object>();

/** Notes that an object, which must not change any more, stands in several documents. Returns the object. */
export function asShared<Shared extends object>(object: Shared): Shared {
  shared.add(object);
  return object;
}

/** True for an object that was noted with `asShared`. */
export function isShared(object: object): boolean {
  return shared.has(object);
}

/** Wraps a function so that it computes its result once for each shared object, and anew for every other. */
export function onceForShared<Key extends object, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const cached = onceForEach(compute);
  return (key) => (isShared(key) ? cached(key) : compute(key));
}
