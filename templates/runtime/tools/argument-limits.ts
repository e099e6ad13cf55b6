import { hasOnly } from "../engine/request-parameters.js";
import type { ToolEntry } from "./definition.js";
import type { LimitName, Limits } from "../engine/limits.js";

/** Why arguments are refused. */
export interface LimitViolation {
  /** In words: "they …". */
  readonly problem: string;
  /** The limit that they exceed. */
  readonly limit?: LimitName;
}

/**
 * Returns how arguments exceed the limits; undefined where they do not. It runs before validation,
 * because validators recurse and collect errors. It goes through the levels without recursion.
 */
export function limitViolation(
  value: unknown,
  limits: Pick<Limits, "depth" | "elements">,
): LimitViolation | undefined {
  let elements = 0;
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.depth) {
      return { problem: `they are nested deeper than ${limits.depth} levels`, limit: "depth" };
    }
    const next: unknown[] = [];
    for (const node of level) {
      if (typeof node !== "object" || node === null) continue;
      // JSON.parse makes `__proto__` an own property. Code that merges arguments would set a prototype.
      if (Object.hasOwn(node, "__proto__")) {
        return { problem: `they hold the key "__proto__"` };
      }
      // Parsed JSON inherits nothing, and `Object.values` of a very long list costs as much as parsing it.
      for (const key in node) {
        const child = (node as Readonly<Record<string, unknown>>)[key];
        if (++elements > limits.elements) {
          const problem = `they hold more than ${limits.elements} elements`;
          return { problem, limit: "elements" };
        }
        next.push(child);
      }
    }
    level = next;
  }
  return undefined;
}

/**
 * Whether a tool has no arguments. Clients whose models have to send an argument make one up for such tools, so that what
 * they send is dropped.
 */
export function takesNothing({ definition: { inputSchema } }: ToolEntry): boolean {
  const { properties = {}, required = [], additionalProperties } = inputSchema;
  for (const _name in properties) return false;
  return required.length === 0 && additionalProperties === false && hasOnly(inputSchema, ownKeys);
}

const ownKeys = [
  ...["type", "properties", "required", "additionalProperties"],
  ...["description", "title", "$schema"],
];
