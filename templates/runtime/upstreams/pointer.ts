/**
 * The value at a JSON Pointer (RFC 6901); undefined if there is none.
 *
 * @param pointer for example `/items/0`; the empty pointer refers to the value itself
 */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  let target = value;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) {
      return undefined;
    }
    if (Array.isArray(target) && !/^\d+$/.test(key)) return undefined;
    target = (target as Readonly<Record<string, unknown>>)[key];
  }
  return target;
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
