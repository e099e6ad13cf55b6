import { defineDiagnostic } from "../catalogue-entry.js";

/** Limits of the manifest's file: its size and depth, aliases, and numbers that JSON cannot represent. */

export const recursiveAlias = defineDiagnostic<{ alias: string }>({
  code: "MW1019",
  message: ({ alias }) => `*${alias} stands inside the value that it repeats`,
  hint: () => "a schema that contains itself goes under `schemas`, with a `$ref` to it",
});

export const aliasExpansion = defineDiagnostic<{ alias: string; limit: number }>({
  code: "MW1020",
  message: ({ alias, limit }) =>
    `with *${alias}, the aliases of this file repeat more than ${limit} values`,
});

export const tooDeep = defineDiagnostic<{ limit: number }>({
  code: "MW1021",
  message: ({ limit }) => `lists and mappings are nested more than ${limit} levels deep`,
});

export const tooManyKeys = defineDiagnostic<{ found: number; limit: number }>({
  code: "MW1022",
  message: ({ found, limit }) => `a mapping has ${found} keys; at most ${limit} are allowed`,
});

export const numberNotJson = defineDiagnostic<{ found: string }>({
  code: "MW1023",
  message: ({ found }) => `${found} is not a number that JSON can carry`,
});

export const integerNotExact = defineDiagnostic<{ found: string; becomes: string }>({
  code: "MW1024",
  severity: "warning",
  message: ({ found, becomes }) => `the integer ${found} becomes ${becomes} when it is read`,
});

export const tooManyTokens = defineDiagnostic<{ limit: number }>({
  code: "MW1025",
  message: ({ limit }) => `the file has more than ${limit} YAML tokens`,
});
