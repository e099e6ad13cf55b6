import { createHash } from "node:crypto";
import { isObject } from "../engine/request-parameters.js";

/** A digest of a JSON value, in 32 hexadecimal digits: only equal values have the same. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);
}

/** JSON in which the order of an object's keys makes no difference. */
function canonicalJson(value: unknown): string {
  const sorted = (_key: string, member: unknown): unknown =>
    isObject(member)
      ? Object.fromEntries(
          Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)),
        )
      : member;
  return JSON.stringify(value, sorted) ?? "";
}
