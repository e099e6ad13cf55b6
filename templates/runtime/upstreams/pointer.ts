/**
 * What a JSON Pointer leads to; undefined where there is nothing.
 *
 * @param pointer `/items/0`; the empty pointer leads to the value itself
 */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  let found = value;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    if (Array.isArray(found) && !/^\d+$/.test(key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

/** An object with these of its members, or a list of such objects; anything else as it is. */
export function onlyFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => onlyFields(item, fields));
  if (typeof value !== "object" || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]]),
  );
}
