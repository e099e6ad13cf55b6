import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";

/** Rules about the meaning of the JSON Schemas in a manifest: contradictions, cost. */

export const contradictingBounds = defineDiagnostic<{ lower: string; upper: string }>({
  code: "MW3020",
  severity: "error",
  title: "bounds that no value can meet",
  explanation: {
    cause:
      "A lower bound is above the upper bound, or leaves no whole number; or more properties or items are asked for than there can be.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        days: {type: integer, minimum: 14, maximum: 1}",
    fix: "Swap or correct the bounds.",
  },
  message: ({ lower, upper }) => `no value can have both ${lower} and ${upper}`,
});

export const emptyEnum = defineDiagnostic({
  code: "MW3021",
  severity: "error",
  title: "empty enum",
  explanation: {
    cause: "An `enum` without values allows nothing.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        unit: {enum: []}",
    fix: "List the allowed values, or remove `enum`.",
  },
  message: () => `"enum" is empty: no value is allowed`,
});

export const repeatedValue = defineDiagnostic<{ keyword: string; value: string }>({
  code: "MW3022",
  severity: "error",
  title: "value listed twice",
  explanation: {
    cause: "`enum`, `required` and `type` are sets: each value stands once.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        unit: {enum: [metric, metric]}",
    fix: "Remove one of the two, or correct the one that was meant to differ.",
  },
  message: ({ keyword, value }) => `${value} stands twice in "${keyword}"`,
});

export const impossibleConstant = defineDiagnostic<{ value: string; rule: string }>({
  code: "MW3023",
  severity: "error",
  title: "constant that its own schema refuses",
  explanation: {
    cause:
      "`const` is not among the values of `enum`, not of the `type` beside it, or not within the bounds, so that no value fits.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        kind: {type: string, const: 1}",
    fix: "Correct the constant, or the rule that it breaks.",
  },
  message: ({ value, rule }) => `the constant is ${value}, but ${rule}`,
});

export const enumAgainstType = defineDiagnostic<{ reason: string; found: string }>({
  code: "MW3024",
  severity: "error",
  title: "enum without a possible value",
  explanation: {
    cause:
      "None of the values of `enum` is of the `type` beside it, or within the bounds, so that no value fits.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        year: {type: string, enum: [2025, 2026]}",
    fix: 'Correct the type, or put the values in quotes: `enum: ["2025", "2026"]`.',
  },
  message: ({ reason, found }) =>
    `no value of "enum" can be chosen: the first is ${found}, but ${reason}`,
});

export const undeclaredRequired = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW3025",
  severity: "error",
  title: "required property that is not allowed",
  explanation: {
    cause:
      "`required` names a property that is not declared, where `additionalProperties: false` refuses it.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties: {city: {type: string}}\n      required: [town]\n      additionalProperties: false",
    fix: "Declare the property under `properties`, or correct the name.",
  },
  message: ({ name, nearest }) =>
    `"${name}" is required, but additionalProperties: false refuses it` + didYouMean(nearest),
});

export const requiredButRefused = defineDiagnostic<{ name: string }>({
  code: "MW3027",
  severity: "error",
  title: "required property that servers refuse",
  explanation: {
    cause:
      "`required` names `__proto__`. Code that copies arguments would take its value for their prototype, so the server refuses that name anywhere in arguments, before it looks at the schema: nothing fits.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties: {city: {type: string}}\n      required: [__proto__]",
    fix: "Take the name out of `required`, or call the property something else.",
  },
  message: ({ name }) =>
    `"${name}" is required, but the server refuses arguments that hold this name`,
});

export const defaultMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3026",
  severity: "error",
  title: "default that its own schema refuses",
  explanation: {
    cause:
      "Defaults are filled in before the handler runs; this one does not fit the schema that it belongs to.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        days: {type: integer, maximum: 14, default: 30}",
    fix: "Correct the default or the schema.",
  },
  message: ({ problem }) => `the default does not fit its schema: ${problem}`,
});

export const schemaTooCostly = defineDiagnostic<{ limit: number }>({
  code: "MW3040",
  severity: "error",
  title: "schema too large",
  explanation: {
    cause:
      "With every reference replaced by what it leads to, the schema has more parts than the limit: references to references multiply.",
    example: "Definitions of which each refers twice to the one before it, forty levels deep.",
    fix: "Refer to a schema once where it is enough, or describe the value more loosely.",
  },
  message: ({ limit }) => `with its references followed, the schema has more than ${limit} parts`,
});

export const referencesTooDeep = defineDiagnostic<{ limit: number }>({
  code: "MW3041",
  severity: "error",
  title: "references too deep",
  explanation: {
    cause: "References lead to schemas with further references, more levels deep than the limit.",
    example: "Definitions of which each refers to the next one, hundreds of levels deep.",
    fix: "Refer to the last schema directly.",
  },
  message: ({ limit }) =>
    `with its references followed, the schema is more than ${limit} levels deep`,
});

export const tooManyProperties = defineDiagnostic<{ found: number; limit: number }>({
  code: "MW3042",
  severity: "error",
  title: "too many properties",
  explanation: {
    cause: "One schema declares more properties than the limit.",
    example: "An object schema with 1,001 properties.",
    fix: "Use `additionalProperties` or `patternProperties` where the properties are alike.",
  },
  message: ({ found, limit }) => `the schema has ${found} properties; the limit is ${limit}`,
});

export const requiredWithoutDescription = defineDiagnostic<{ name: string }>({
  code: "MW3301",
  severity: "warning",
  title: "required property without description",
  explanation: {
    cause: "Models read descriptions to know what to pass; a required property has none.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema: {type: object, additionalProperties: false, properties: {city: {type: string}}, required: [city]}",
    fix: "Say what the property means: `city: {type: string, description: City name, in English}`.",
  },
  message: ({ name }) => `the required property "${name}" has no description`,
});

export const unknownFormat = defineDiagnostic<{ format: string; nearest?: string }>({
  code: "MW3302",
  severity: "warning",
  title: "unknown format",
  explanation: {
    cause:
      "No check is known for this format: it stays in the schema as a note, and every text passes.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        when: {type: string, format: timestamp}",
    fix: "Use a known format such as date-time, or add a `pattern`.",
  },
  message: ({ format, nearest }) =>
    `the format ${format} is not known and not checked` + didYouMean(nearest),
});

export const costlyUniqueItems = defineDiagnostic({
  code: "MW3303",
  severity: "warning",
  title: "uniqueItems without maxItems",
  explanation: {
    cause:
      "To find equal objects or lists, items are compared as a whole; without `maxItems` the work has no bound but the size of the request.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        rows: {type: array, uniqueItems: true, items: {type: object}}",
    fix: "Add `maxItems`.",
  },
  message: () => `"uniqueItems" on objects or lists is costly without "maxItems"`,
});

export const exampleValueMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3304",
  severity: "warning",
  title: "example that its own schema refuses",
  explanation: {
    cause: "A value under the keyword `examples` does not fit the schema that it illustrates.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        days: {type: integer, examples: [three]}",
    fix: "Correct the example or the schema.",
  },
  message: ({ problem }) => `the example does not fit its schema: ${problem}`,
});

export const enumValueOfOtherType = defineDiagnostic<{ value: string; reason: string }>({
  code: "MW3305",
  severity: "warning",
  title: "enum value that can never be chosen",
  explanation: {
    cause:
      "A value of `enum` is not of the `type` beside it, or not within the bounds: it can never be chosen. Without quotes, YAML reads 1.10, null and true as no text.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        version: {type: string, enum: [1.10, latest]}",
    fix: 'Put the value in quotes, or add its type: `type: [string, "null"]`.',
  },
  message: ({ value, reason }) => `${value} in "enum" can never be chosen: ${reason}`,
});

export const requiredNotDescribed = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW3306",
  severity: "warning",
  title: "required property that is not under properties",
  explanation: {
    cause:
      "`required` names a property that `properties` does not describe: callers must pass it, and nothing says what it is. Mostly it is a slip of the pen.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: true\n      properties: {query: {type: string, description: What to look for}}\n      required: [querry]",
    fix: "Correct the name, or describe the property under `properties`; `{}` allows any value.",
  },
  message: ({ name, nearest }) =>
    `"${name}" is required, but "properties" does not describe it` + didYouMean(nearest),
});

export const defaultWithoutEffect = defineDiagnostic<{ reason: string }>({
  code: "MW3307",
  severity: "warning",
  title: "default that is never filled in",
  explanation: {
    cause:
      "The server fills in a default where a property is missing, if it gets there through `properties`, `items`, `$ref` and `allOf`. A property that is required is never missing. In an alternative (`oneOf`, `anyOf`, `if` …) or under a keyword such as `additionalProperties` a default tells callers something, and the handler gets nothing from it.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        area:\n          oneOf:\n            - {type: object, additionalProperties: false, properties: {radius: {type: number, default: 1}}}\n            - {type: string}",
    fix: "Move the property out of the alternatives, or fill in the value in the handler and write it into the description. Of a property with a default, take the name out of `required`.",
  },
  message: ({ reason }) => `this default is never filled in: ${reason}`,
});

export const defaultOfOuterLevel = defineDiagnostic({
  code: "MW3310",
  severity: "warning",
  title: "default that is filled in at the outermost level only",
  explanation: {
    cause:
      "The server fills in the defaults of a schema that leads back to itself in the outermost value only: a default of a tree's nodes is filled in at its root, and not in the children. The type that the handler gets says the same.",
    example:
      "schemas:\n  Node: {type: object, additionalProperties: false, properties: {weight: {type: number, default: 1}, children: {type: array, items: {$ref: '#/schemas/Node'}}}}\ntools:\n  - name: a\n    description: x\n    inputSchema: {type: object, additionalProperties: false, properties: {root: {$ref: '#/schemas/Node'}}}",
    fix: "Fill in the value in the handler, and say in the description what holds where it is missing; or require the property.",
  },
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
  title: "value that fits two alternatives of oneOf",
  explanation: {
    cause:
      "`oneOf` refuses a value that fits more than one of its alternatives. Of these two, a plain value of one fits the other as well: every integer is a number, and an object with other properties fits whatever does not forbid them.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        limit: {oneOf: [{type: integer}, {type: number}]}",
    fix: "Write `anyOf`, which asks for at least one. Or keep the alternatives apart: with a `const` of its own in each, with `required`, with `additionalProperties: false`.",
  },
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
  title: "keyword that says nothing of its type",
  explanation: {
    cause:
      "Most keywords of JSON Schema ask something of one type of value and let all others pass: `minimum` of numbers, `minLength` of strings, `items` of lists, `required` of objects. Beside another `type` such a keyword has no effect.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        city: {type: string, minimum: 2}",
    fix: "Use the keyword for the type, or correct the type.",
  },
  message: ({ keyword, type, meant }) =>
    `"${keyword}" has no effect beside type: ${type}` + didYouMean(meant),
});

export const indentedKeyword = defineDiagnostic<{ keyword: string }>({
  code: "MW3314",
  severity: "warning",
  title: "keyword among the properties",
  explanation: {
    cause:
      "A key under `properties` is the name of a property. A keyword that is indented too far becomes such a name, and what it should say does not hold.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        city: {type: string}\n        additionalProperties: false",
    fix: "Outdent the keyword to stand beside `properties`. A property of that name that takes any value has the schema `{}`.",
  },
  message: ({ keyword }) => `"${keyword}" under "properties" is the name of a property`,
  hint: () => 'outdent it to stand beside "properties", if it is the keyword',
});

export const keywordWithoutOther = defineDiagnostic<{ keyword: string; needed: string }>({
  code: "MW3315",
  severity: "warning",
  title: "keyword without the one that it needs",
  explanation: {
    cause:
      "`then` and `else` hold for what `if` decides, and `minContains` and `maxContains` count what `contains` finds. Alone, such a keyword has no effect.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        tags: {type: array, minContains: 2}",
    fix: "Write the other keyword beside it, or remove it.",
  },
  message: ({ keyword, needed }) => `"${keyword}" has no effect without ${needed} beside it`,
});

/** 2 → `2nd` */
function ordinal(count: number): string {
  const isTeen = Math.floor(count / 10) % 10 === 1;
  const ending = isTeen ? undefined : ["th", "st", "nd", "rd"][count % 10];
  return `${count}${ending ?? "th"}`;
}
