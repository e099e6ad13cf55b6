import type { JsonObject } from "../../model/json.js";

/** What kind of value is wanted, among the valid ones. */
export interface ValueRequest {
  /** All properties, or only those that must be there. */
  readonly properties: "all" | "required";
  /** Values at the lower or the upper end of what is allowed, or ones as people use them. */
  readonly bound: "low" | "high" | "typical";
  /** Which alternative of `anyOf`, `oneOf`, `type` and `if` is taken, counted around. */
  readonly alternative: number;
  /** Different seeds ask for different values, as far as there are any. */
  readonly seed: number;
  /** The property that the value is for; a text may be made of it. */
  readonly name: string;
}

export const TYPICAL_REQUEST: ValueRequest = {
  properties: "all",
  bound: "typical",
  alternative: 0,
  seed: 0,
  name: "",
};

/** The greatest of the numbers that a keyword has in the schemas of a place, and of this one. */
export function greatestAt(
  schemas: readonly JsonObject[],
  keyword: string,
  atLeast: number,
): number {
  return Math.max(atLeast, ...numbersAt(schemas, keyword));
}

/** The smallest of the numbers that a keyword has in the schemas of a place, and of this one. */
export function smallestAt(
  schemas: readonly JsonObject[],
  keyword: string,
  atMost: number,
): number {
  return Math.min(atMost, ...numbersAt(schemas, keyword));
}

function numbersAt(schemas: readonly JsonObject[], keyword: string): number[] {
  return schemas.map((schema) => schema[keyword]).filter((value) => typeof value === "number");
}

/** The strings that a keyword has in the schemas of a place. */
export function stringsAt(schemas: readonly JsonObject[], keyword: string): string[] {
  return schemas.map((schema) => schema[keyword]).filter((value) => typeof value === "string");
}
