import type { JsonValue } from "../model/json.js";

/** The values of an enumeration without those that are others in small letters, which messages need not repeat. */
export function withoutTwins(values: readonly JsonValue[]): JsonValue[] {
  return values.filter(
    (value) =>
      typeof value !== "string" ||
      value === value.toUpperCase() ||
      !values.includes(value.toUpperCase()),
  );
}
