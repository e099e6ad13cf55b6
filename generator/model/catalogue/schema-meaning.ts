import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean, mendOfName } from "./message-parts.js";

/** Rules about the meaning of the JSON Schemas in a manifest: contradictions, cost. */

export const contradictingBounds = defineDiagnostic<{ lower: string; upper: string }>({
  code: "MW3020",
  message: ({ lower, upper }) => `no value can have both ${lower} and ${upper}`,
});

export const emptyEnum = defineDiagnostic({
  code: "MW3021",
  message: () => `"enum" is empty: no value is allowed`,
});

export const repeatedValue = defineDiagnostic<{ keyword: string; value: string }>({
  code: "MW3022",
  message: ({ keyword, value }) => `${value} stands twice in "${keyword}"`,
  mend: () => ({ edit: "remove item" }),
});

export const impossibleConstant = defineDiagnostic<{ value: string; rule: string }>({
  code: "MW3023",
  message: ({ value, rule }) => `the constant is ${value}, but ${rule}`,
});

export const enumAgainstType = defineDiagnostic<{ reason: string; found: string }>({
  code: "MW3024",
  message: ({ reason, found }) =>
    `no value of "enum" can be chosen: the first is ${found}, but ${reason}`,
});

export const undeclaredRequired = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW3025",
  message: ({ name, nearest }) =>
    `"${name}" is required, but additionalProperties: false refuses it` + didYouMean(nearest),
  mend: mendOfName,
});

export const requiredButRefused = defineDiagnostic<{ name: string }>({
  code: "MW3027",
  message: ({ name }) =>
    `"${name}" is required, but the server refuses arguments that hold this name`,
});

export const defaultMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3026",
  message: ({ problem }) => `the default does not fit its schema: ${problem}`,
});

export const schemaTooCostly = defineDiagnostic<{ limit: number }>({
  code: "MW3040",
  message: ({ limit }) => `with its references followed, the schema has more than ${limit} parts`,
});

export const referencesTooDeep = defineDiagnostic<{ limit: number }>({
  code: "MW3041",
  message: ({ limit }) =>
    `with its references followed, the schema is more than ${limit} levels deep`,
});

export const tooManyProperties = defineDiagnostic<{ found: number; limit: number }>({
  code: "MW3042",
  message: ({ found, limit }) => `the schema has ${found} properties; the limit is ${limit}`,
});

export const requiredWithoutDescription = defineDiagnostic<{ name: string }>({
  code: "MW3301",
  severity: "warning",
  message: ({ name }) => `the required property "${name}" has no description`,
});

export const unknownFormat = defineDiagnostic<{ format: string; nearest?: string }>({
  code: "MW3302",
  severity: "warning",
  message: ({ format, nearest }) =>
    `the format ${format} is not known and not checked` + didYouMean(nearest),
});

export const costlyUniqueItems = defineDiagnostic({
  code: "MW3303",
  severity: "warning",
  message: () => `"uniqueItems" on objects or lists is costly without "maxItems"`,
});

export const exampleValueMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3304",
  severity: "warning",
  message: ({ problem }) => `the example does not fit its schema: ${problem}`,
});

export const enumValueOfOtherType = defineDiagnostic<{ value: string; reason: string }>({
  code: "MW3305",
  severity: "warning",
  message: ({ value, reason }) => `${value} in "enum" can never be chosen: ${reason}`,
});

export const requiredNotDescribed = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW3306",
  severity: "warning",
  message: ({ name, nearest }) =>
    `"${name}" is required, but "properties" does not describe it` + didYouMean(nearest),
});

export const defaultWithoutEffect = defineDiagnostic<{ reason: string }>({
  code: "MW3307",
  severity: "warning",
  message: ({ reason }) => `this default is never filled in: ${reason}`,
});

export const defaultOfOuterLevel = defineDiagnostic({
  code: "MW3310",
  severity: "warning",
  message: () =>
    "this default is filled in at the outermost level only: a schema around it leads back to itself",
});

export const overlappingAlternatives = defineDiagnostic<{
  value: string;
  first: number;
  second: number;
}>({
  code: "MW3308",
  severity: "warning",
  message: ({ value, first, second }) =>
    `oneOf refuses values that fit two alternatives, such as ${value}, which fits the ${ordinal(first)} and the ${ordinal(second)}`,
  hint: () => "anyOf takes such values",
});

export const keywordOfOtherType = defineDiagnostic<{
  keyword: string;
  type: string;
  meant?: string;
}>({
  code: "MW3309",
  severity: "warning",
  message: ({ keyword, type, meant }) =>
    `"${keyword}" has no effect beside type: ${type}` + didYouMean(meant),
});

export const indentedKeyword = defineDiagnostic<{ keyword: string }>({
  code: "MW3314",
  severity: "warning",
  message: ({ keyword }) => `"${keyword}" under "properties" is the name of a property`,
  hint: () => 'outdent it to stand beside "properties", if it is the keyword',
});

export const keywordWithoutOther = defineDiagnostic<{ keyword: string; needed: string }>({
  code: "MW3315",
  severity: "warning",
  message: ({ keyword, needed }) => `"${keyword}" has no effect without ${needed} beside it`,
});

/** 2 → `2nd` */
function ordinal(count: number): string {
  const isTeen = Math.floor(count / 10) % 10 === 1;
  const ending = isTeen ? undefined : ["th", "st", "nd", "rd"][count % 10];
  return `${count}${ending ?? "th"}`;
}
