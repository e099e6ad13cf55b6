/**
 * The value at a JSON Pointer (RFC 6901); undefined if there is none.
 *
 * @param pointer for example `/items/0`; the empty pointer refers to the value itself
 */
export function valueAt(value: unknown, pointer: string): unknown {
  let target = value;
  for (const key of stepsOf(pointer)) {
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) {
      return undefined;
    }
    if (Array.isArray(target) && !/^\d+$/.test(key)) return undefined;
    target = (target as Readonly<Record<string, unknown>>)[key];
  }
  return target;
}

/** The names and indexes by which a JSON Pointer leads to its value; none for the empty pointer. */
export function stepsOf(pointer: string): string[] {
  const tokens = pointer.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** An object reduced to these members, or a list of objects so reduced; other values are returned unchanged. */
export function onlyFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => onlyFields(item, fields));
  if (typeof value !== "object" || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]]),
  );
}
