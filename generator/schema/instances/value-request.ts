import type { JsonObject } from "../../model/json.js";

/** Which of the valid values to make. */
export interface ValueRequest {
  /** All properties, or only the required ones. */
  readonly properties: "all" | "required";
  /** Values at the lower or the upper bound, or typical ones. */
  readonly bound: "low" | "high" | "typical";
  /** The index of the branch of `anyOf`, `oneOf`, `type` and `if`, modulo their number. */
  readonly alternative: number;
  /** Different seeds give different values, if there are several. */
  readonly seed: number;
  /** The name of the value's property; strings may be made from it. */
  readonly name: string;
}

export const TYPICAL_REQUEST: ValueRequest = {
  properties: "all",
  bound: "typical",
  alternative: 0,
  seed: 0,
  name: "",
};

/** The greatest number under a keyword in the schemas, but at least `atLeast`. */
export function greatestAt(
  schemas: readonly JsonObject[],
  keyword: string,
  atLeast: number,
): number {
  let greatest = atLeast;
  for (const { [keyword]: value } of schemas) {
    if (typeof value === "number" && value > greatest) greatest = value;
  }
  return greatest;
}

/** The smallest number under a keyword in the schemas, but at most `atMost`. */
export function smallestAt(
  schemas: readonly JsonObject[],
  keyword: string,
  atMost: number,
): number {
  let smallest = atMost;
  for (const { [keyword]: value } of schemas) {
    if (typeof value === "number" && value < smallest) smallest = value;
  }
  return smallest;
}

/** The strings under a keyword in the schemas. */
export function stringsAt(schemas: readonly JsonObject[], keyword: string): string[] {
  return schemas.map((schema) => schema[keyword]).filter((value) => typeof value === "string");
}
