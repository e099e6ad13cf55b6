import type { JsonObject, JsonValue } from "../../model/json.js";
import { KEYWORDS } from "../keywords/index.js";
import { isOfType } from "../keywords/index.js";
import type { Constraint } from "./breaking-site.js";

/** The constraints of a schema, without those of its subschemas and without keywords that exclude no value. */
export function constraintsOf(schema: JsonObject): Constraint[] {
  const constraints: Constraint[] = [];
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword] ?? null;
    const { breaking, isVacuous } = KEYWORDS.get(keyword) ?? {};
    if (breaking === undefined || breaking.isConstraint?.(value) === false) continue;
    if (isVacuous?.(value) === true) continue;
    const entries = breaking.entries?.(value);
    if (entries === undefined) constraints.push({ schema, keyword });
    else for (const entry of entries) constraints.push({ schema, keyword, entry });
  }
  return constraints;
}

/** Whether every value that breaks this `type` also breaks the `enum` or `const` of the same schema. */
export function isImpliedType({ schema, keyword }: Constraint): boolean {
  if (keyword !== "type") return false;
  const allowedValues = Object.hasOwn(schema, "const") ? [schema["const"] ?? null] : schema["enum"];
  if (!Array.isArray(allowedValues)) return false;
  const types = [schema["type"] ?? null].flat();
  return allowedValues.every((value: JsonValue) => types.some((type) => isOfType(value, type)));
}
