import { defineDiagnostic } from "../catalogue-entry.js";

/** Limits of the manifest's file: its size and depth, aliases, and numbers that JSON cannot represent. */

export const recursiveAlias = defineDiagnostic<{ alias: string }>({
  code: "MW1019",
  severity: "error",
  title: "recursive alias",
  explanation: {
    cause: "An alias stands inside the value that it repeats, which never ends.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema: &s {type: object, properties: {next: *s}}",
    fix: 'Describe the shape under `schemas` and refer to it: `$ref: "#/schemas/Node"`.',
  },
  message: ({ alias }) => `*${alias} stands inside the value that it repeats`,
  hint: () => "a schema that contains itself goes under `schemas`, with a `$ref` to it",
});

export const aliasExpansion = defineDiagnostic<{ alias: string; limit: number }>({
  code: "MW1020",
  severity: "error",
  title: "aliases grow too large",
  explanation: {
    cause: "Aliases that repeat aliases multiply: a few lines would become millions of values.",
    example:
      "x-a: &a [x, x, x, x, x, x, x, x, x, x]\nx-b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nx-c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nx-d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\nx-e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\nx-f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]",
    fix: "Repeat less. Schemas are shared through `schemas` and `$ref`, which repeat nothing.",
  },
  message: ({ alias, limit }) =>
    `with *${alias}, the aliases of this file repeat more than ${limit} values`,
});

export const tooDeep = defineDiagnostic<{ limit: number }>({
  code: "MW1021",
  severity: "error",
  title: "nested too deep",
  explanation: {
    cause: "Lists and mappings are nested more than 64 levels deep.",
    example: "Sixty-five opening brackets in a row.",
    fix: "Flatten the value, or move inner schemas to `schemas` and refer to them with `$ref`.",
  },
  message: ({ limit }) => `lists and mappings are nested more than ${limit} levels deep`,
});

export const tooManyKeys = defineDiagnostic<{ found: number; limit: number }>({
  code: "MW1022",
  severity: "error",
  title: "too many keys",
  explanation: {
    cause: "One mapping has more than 10,000 keys.",
    example: "A table of 100,000 lines under `x-data`.",
    fix: "Move the data out of the manifest.",
  },
  message: ({ found, limit }) => `a mapping has ${found} keys; at most ${limit} are allowed`,
});

export const numberNotJson = defineDiagnostic<{ found: string }>({
  code: "MW1023",
  severity: "error",
  title: "number that JSON lacks",
  explanation: {
    cause: "Infinity and “not a number” exist in YAML but not in JSON, so they cannot be sent.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        count: {type: number, maximum: .inf}",
    fix: "Leave the key out, or use a finite number.",
  },
  message: ({ found }) => `${found} is not a number that JSON can carry`,
});

export const integerNotExact = defineDiagnostic<{ found: string; becomes: string }>({
  code: "MW1024",
  severity: "warning",
  title: "integer is not exact",
  explanation: {
    cause:
      "An integer beyond ±9,007,199,254,740,991 is rounded to the nearest number that JavaScript can hold.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        count: {type: integer, maximum: 9223372036854775807}",
    fix: "Use a smaller bound, or put the value in quotes where text will do.",
  },
  message: ({ found, becomes }) => `the integer ${found} becomes ${becomes} when it is read`,
});

export const tooManyTokens = defineDiagnostic<{ limit: number }>({
  code: "MW1025",
  severity: "error",
  title: "too many YAML tokens",
  explanation: {
    cause:
      "The file has more words, marks and line ends than a manifest of 8 MiB can use; reading it would take very long.",
    example: "Eight million empty lines.",
    fix: "Remove what carries no meaning, or split the manifest.",
  },
  message: ({ limit }) => `the file has more than ${limit} YAML tokens`,
});
