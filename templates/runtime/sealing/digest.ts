import { createHash } from "node:crypto";
import { isObject } from "../engine/request-parameters.js";

/** Returns a digest of a JSON value, in 32 hexadecimal digits. Different values have different digests. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);
}

/** Returns JSON with sorted keys, so that their order makes no difference. */
function canonicalJson(value: unknown): string {
  const sorted = (_key: string, member: unknown): unknown =>
    isObject(member)
      ? Object.fromEntries(
          Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)),
        )
      : member;
  return JSON.stringify(value, sorted) ?? "";
}
