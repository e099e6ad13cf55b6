import { defineDiagnostic } from "../catalogue-entry.js";
import { argumentWord, didYouMean, mendOfName } from "./message-parts.js";

/** Rules about databases, and about bodies that query them. */

export const unknownDatabase = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW2110",
  message: ({ found, nearest }) => `there is no database ${found}${didYouMean(nearest)}`,
  mend: mendOfName,
});

export const databasePlace = defineDiagnostic<{ type: string; key: string }>({
  code: "MW2111",
  message: ({ type, key }) => `a database of the type ${type} needs "${key}", and no other place`,
});

export const statementForm = defineDiagnostic<{ problem: string }>({
  code: "MW2112",
  message: ({ problem }) => `the query ${problem}`,
});

export const unknownParameter = defineDiagnostic<{
  found: string;
  what: string;
  nearest?: string;
}>({
  code: "MW2113",
  message: ({ found, what, nearest }) =>
    `${what} has no ${argumentWord(what)} for ${found}${nearest === undefined ? "" : `; did you mean ":${nearest}"?`}`,
  mend: ({ found, nearest }) =>
    nearest === undefined
      ? undefined
      : { edit: "replace part", from: found.slice(1, -1), to: `:${nearest}`, ifOnly: true },
});

export const unboundArgument = defineDiagnostic<{
  name: string;
  what: string;
  /** What to write instead of its use within quotes, if there is one. */
  unquoted?: string;
}>({
  code: "MW2114",
  message: ({ name, what }) => `the query has no place for the ${argumentWord(what)} "${name}"`,
  // A trial of coding agents wrote the parameters of other drivers: `?`, `@name` and `${name}`.
  hint: ({ name, unquoted }) =>
    unquoted === undefined
      ? `write :${name} where its value belongs`
      : `what stands within quotes is text: write ${unquoted}`,
});

export const twoTypes = defineDiagnostic<{ name: string; types: string }>({
  code: "MW2115",
  message: ({ name, types }) => `:${name} has two types: ${types}`,
});

export const writingQuery = defineDiagnostic<{ change: string }>({
  code: "MW2116",
  message: ({ change }) => `a statement that ${change} needs "write: true"`,
});

export const rowsMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW2117",
  message: ({ problem }) => problem,
});

export const writingResource = defineDiagnostic<{ what: string }>({
  code: "MW2118",
  message: ({ what }) => `only a tool may have a statement that ${what}`,
});

export const limitOfOneRow = defineDiagnostic({
  code: "MW2119",
  message: () => '"maxRows" says nothing of a body with "row: true"',
});

export const readOnlyWriter = defineDiagnostic({
  code: "MW2340",
  severity: "warning",
  message: () => 'the tool says "readOnlyHint: true", but its statement may write',
});

export const listAsItem = defineDiagnostic<{ name: string; operator: string; form: string }>({
  code: "MW2342",
  severity: "warning",
  message: ({ name, operator }) =>
    `"${name}" is a list, which "${operator} (…)" takes for one value`,
  hint: ({ form }) => `write ${form}`,
});

export const untypedParameter = defineDiagnostic<{ name: string; type: string }>({
  code: "MW2121",
  message: ({ name }) =>
    `Postgres cannot tell the type of ":${name}" here, and the inputSchema states none that fits`,
  hint: ({ name, type }) => `write the type behind it, such as :${name}::${type}`,
});

export const nodeForSqlite = defineDiagnostic({
  code: "MW2341",
  severity: "warning",
  message: () => "a SQLite database needs Node.js 22.13 or newer",
});
