import type { Json } from "../contract.js";

/** What callers are told of wrong values: the validators' own words, written a second time to check them. */

/**
 * What is said of a value that breaks a keyword.
 *
 * @param stated the value of the keyword
 * @param about the name of the property that is missing, or is too many
 */
export function messageOf(keyword: string, stated: Json, about: string | undefined): string {
  // Choices are no limit, and those that are objects need not have a text.
  if (keyword === "enum") return "must be equal to one of the allowed values";
  const limit = String(stated);
  switch (keyword) {
    case "type":
      return `must be ${limit}`;
    case "minLength":
      return `must NOT have fewer than ${limit} characters`;
    case "maxLength":
      return `must NOT have more than ${limit} characters`;
    case "minItems":
      return `must NOT have fewer than ${limit} items`;
    case "maxItems":
      return `must NOT have more than ${limit} items`;
    case "required":
      return `must have required property '${about}'`;
    case "additionalProperties":
      return "must NOT have additional properties";
    case "format":
      return `must match format "${limit}"`;
    default:
      return `must be ${RELATIONS[keyword]} ${limit}`;
  }
}

const RELATIONS: Readonly<Record<string, string>> = {
  minimum: ">=",
  maximum: "<=",
  exclusiveMinimum: ">",
  exclusiveMaximum: "<",
};

/** What callers read after the message. */
export function detailOf(keyword: string, stated: Json, about: string | undefined): string {
  if (keyword === "enum") return ` ${JSON.stringify(stated)}`;
  return keyword === "additionalProperties" ? `: ${about}` : "";
}
