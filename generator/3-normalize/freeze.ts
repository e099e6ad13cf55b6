/** Freezes a value and all that it holds, so that no later phase can change the model. Returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  // Manifests are bounded in depth; a walk by keys makes no list for each of their many thousand objects.
  for (const key in value) deepFreeze(value[key]);
  return value;
}
