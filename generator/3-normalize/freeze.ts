/** Freezes a value and all that it holds, so that no later phase can change the model. Returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  // Manifests are bounded in depth; a walk by keys makes no list for each of their many thousand objects.
  for (const key in value) deepFreeze(value[key]);
  return value;
}

/** Makes each of some values. */
type Makers<Later> = { readonly [Key in keyof Later]: () => Later[Key] };

/** An object, frozen, with further members that are made when they are first asked for, and frozen then. */
export function withLater<Ready extends object, Later extends object>(
  ready: Ready,
  makers: Makers<Later>,
): Ready & Later {
  const whole = { ...ready };
  for (const key in makers) {
    let made: { readonly value: unknown } | undefined;
    const get = (): unknown => (made ??= { value: deepFreeze(makers[key]()) }).value;
    Object.defineProperty(whole, key, { get, enumerable: true });
  }
  return Object.freeze(whole) as Ready & Later;
}
