/** Most values of a result that are counted. Those of a longer one take little memory, compared with its JSON. */
const maxValues = 100_000;

/** The size of a value that is no text, in bytes: about that of a number in JSON. */
const valueSize = 8;

/** About how many bytes a handler's result takes as JSON: the length of all its texts, bytes and other values. */
export function resultSize(returned: unknown): number {
  if (typeof returned === "string") return Buffer.byteLength(returned);
  let size = 0;
  let count = 0;
  const values = [returned];
  // Not by recursion: a result may be nested too deeply for that, or contain itself.
  for (const value of values) {
    if (++count > maxValues) break;
    if (typeof value === "string") size += Buffer.byteLength(value);
    else if (typeof value !== "object" || value === null) size += valueSize;
    else if (value instanceof Uint8Array) size += value.byteLength;
    else for (const member of Object.values(value)) values.push(member);
  }
  return size;
}
