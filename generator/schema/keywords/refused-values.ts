import { finding } from "../comparison/check.js";
import type { Conjunction } from "../comparison/conjunction.js";
import type { Finding } from "../comparison/finding.js";
import { keyword, type ObjectNode } from "../comparison/schema-node.js";

/** The finding that a keyword of the wide schema refuses values of the narrow one, for certain or possibly. */
export function refusedValues(
  isCertain: boolean,
  narrow: Conjunction,
  wide: ObjectNode,
  name: string,
): Finding {
  const excess = {
    kind: name === "pattern" || name === "format" ? "text" : "range",
    keyword: name,
    narrow: narrow.valuesOf(name)[0],
    wide: keyword(wide, name) ?? null,
  } as const;
  return finding(isCertain ? "incompatible" : "unknown", excess, narrow, wide, [name]);
}
