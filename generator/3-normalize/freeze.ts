/** Freezes a value and everything in it, so that no later phase can change the model. Returns the value. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  // Manifests have many thousand objects; `for … in` makes no list of members for each of them.
  for (const key in value) deepFreeze(value[key]);
  return value;
}

/** A function for each member, which computes its value. */
type Getters<Lazy> = { readonly [Key in keyof Lazy]: () => Lazy[Key] };

/** A frozen copy of an object with further members. Each of these is computed and frozen at its first use. */
export function withLazyMembers<Members extends object, Lazy extends object>(
  members: Members,
  getters: Getters<Lazy>,
): Members & Lazy {
  const copy = { ...members };
  for (const key in getters) {
    let cached: { readonly value: unknown } | undefined;
    const get = (): unknown => (cached ??= { value: deepFreeze(getters[key]()) }).value;
    Object.defineProperty(copy, key, { get, enumerable: true });
  }
  return Object.freeze(copy) as Members & Lazy;
}
