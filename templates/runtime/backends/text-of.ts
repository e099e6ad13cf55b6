/** A value as text: objects as JSON, `undefined` and `null` as the empty string. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
