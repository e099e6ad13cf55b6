import { defineDiagnostic } from "../catalogue-entry.js";

/** Variables that cannot set a limit, and examples that the `limits` of the same manifest refuse. */

interface ArgumentsExcess {
  readonly limit: string;
  readonly most: number;
  readonly size: "depth" | "elements" | "bytes";
  readonly found: number;
}

/** The part of a message that says how large the arguments are. */
const SIZES: Readonly<Record<ArgumentsExcess["size"], (count: string) => string>> = {
  depth: (count) => `are nested ${count} levels deep`,
  elements: (count) => `hold ${count} elements`,
  bytes: (count) => `take ${count} bytes of JSON`,
};

interface LimitVariable {
  readonly variable: string;
  readonly limit: string;
  /** What the limit must be, in words. */
  readonly expected: string;
  /** The type and the default that the variable has instead, in words. */
  readonly found: string;
}

export const limitVariable = defineDiagnostic<LimitVariable>({
  code: "MW2072",
  message: ({ variable, limit, expected, found }) =>
    `${variable} sets limits.${limit}, which must be ${expected}, but ${found}`,
  hint: () => "give the variable `type: number`, and a default that the limit may have",
});

export const argumentsBeyondLimit = defineDiagnostic<ArgumentsExcess>({
  code: "MW3312",
  severity: "warning",
  message: ({ size, found, limit, most }) =>
    `the server refuses these arguments: they ${SIZES[size](String(found))}, and limits.${limit} is ${most}`,
  hint: () => "raise the limit, or show a smaller call",
});
