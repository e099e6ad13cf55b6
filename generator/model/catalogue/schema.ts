import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";
import type { Mend } from "../mend.js";

/** Rules about the form of the JSON Schemas in a manifest: keywords, their values, dialects and references. */

export const notASchema = defineDiagnostic<{
  found: string;
  name?: string;
  advice?: string;
  mend?: Mend;
}>({
  code: "MW3001",
  message: ({ found, name }) =>
    name === undefined
      ? `a schema must be a mapping, true or false, not ${found}`
      : `${name} has no schema`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const inputRootNotObject = defineDiagnostic<{ found: string; advice?: string; mend?: Mend }>(
  {
    code: "MW3002",
    severity: "error",
    message: ({ found }) => `an inputSchema must have type: object at its root, not ${found}`,
    hint: ({ advice }) => advice ?? "a tool without arguments needs no inputSchema",
    mend: ({ mend }) => mend,
  },
);

export const unknownKeyword = defineDiagnostic<{
  keyword: string;
  nearest?: string;
  advice?: string;
  mend?: Mend;
}>({
  code: "MW3003",
  message: ({ keyword, nearest }) =>
    `${keyword} is not a keyword of JSON Schema${didYouMean(nearest)}`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const refusedKeyword = defineDiagnostic<{ keyword: string; reason: string }>({
  code: "MW3004",
  message: ({ keyword, reason }) => `"${keyword}" is not supported: ${reason}`,
});

export const keywordOfOtherDialect = defineDiagnostic<{
  keyword: string;
  dialect: string;
  other: string;
  instead: string;
}>({
  code: "MW3005",
  message: ({ keyword, dialect, other }) =>
    `${keyword} means nothing in JSON Schema ${dialect}; it is ${other}`,
  hint: ({ instead }) => instead,
});

export const wrongKeywordValue = defineDiagnostic<{
  keyword: string;
  expected: string;
  found: string;
  advice?: string;
  mend?: Mend;
}>({
  code: "MW3006",
  message: ({ keyword, expected, found }) => `"${keyword}" must be ${expected}, not ${found}`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const unknownTypeName = defineDiagnostic<{
  found: string;
  nearest?: string;
  advice?: string;
  mend?: Mend;
}>({
  code: "MW3007",
  message: ({ found, nearest }) =>
    nearest === undefined
      ? `${found} is not a type; JSON Schema has null, boolean, object, array, number, integer and string`
      : `${found} is not a type${didYouMean(nearest)}`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const unknownDialect = defineDiagnostic<{ found: string; nearest: string }>({
  code: "MW3008",
  message: ({ found }) =>
    `${found} is not a supported dialect; supported are JSON Schema 2020-12 and draft-07`,
  hint: ({ nearest }) => `write $schema: ${nearest}, or leave it out for 2020-12`,
  mend: ({ nearest }) => ({ edit: "set text", to: nearest }),
});

export const dialectBelowRoot = defineDiagnostic({
  code: "MW3009",
  message: () => `"$schema" may stand at the root of a schema only`,
});

export const externalReference = defineDiagnostic<{
  reference: string;
  nearest?: string;
  mend?: Mend;
}>({
  code: "MW3010",
  message: ({ reference, nearest }) =>
    `the reference ${reference} leads out of the manifest${didYouMean(nearest)}`,
  hint: ({ nearest }) =>
    nearest === undefined ? 'put the schema under "schemas" and write "#/schemas/Name"' : undefined,
  mend: ({ mend }) => mend,
});

export const danglingReference = defineDiagnostic<{
  reference: string;
  nearest?: string;
  mend?: Mend;
}>({
  code: "MW3011",
  message: ({ reference, nearest }) =>
    `the reference ${reference} leads to no schema${didYouMean(nearest)}`,
  hint: ({ nearest }) =>
    nearest === undefined ? 'shared schemas stand under "schemas": "#/schemas/Name"' : undefined,
  mend: ({ mend }) => mend,
});

export const malformedReference = defineDiagnostic<{ reference: string; mend?: Mend }>({
  code: "MW3012",
  message: ({ reference }) => `the reference ${reference} has a broken percent-escape`,
  hint: () => "a percent sign in a name is written %25",
  mend: ({ mend }) => mend,
});

export const circularReference = defineDiagnostic<{ steps: readonly string[] }>({
  code: "MW3013",
  message: ({ steps }) => `these references never end: ${steps.join(" → ")}`,
});

export const referenceAcrossDialects = defineDiagnostic<{
  reference: string;
  own: string;
  other: string;
}>({
  code: "MW3014",
  message: ({ reference, own, other }) =>
    `this schema is JSON Schema ${own}, and ${reference} is ${other}`,
});

export const anchorInSharedSchema = defineDiagnostic<{ keyword: string }>({
  code: "MW3015",
  message: ({ keyword }) => `"${keyword}" cannot be used in a shared schema; refer by path`,
  hint: () => '"#" is the root of this schema, "#/schemas/Name" any shared one',
});

export const repeatedAnchor = defineDiagnostic<{ name: string }>({
  code: "MW3016",
  message: ({ name }) => `the anchor "${name}" stands twice in this schema`,
});

export const recursionInline = defineDiagnostic<{ steps: readonly string[] }>({
  code: "MW3017",
  message: ({ steps }) =>
    `this shared schema uses itself, and cannot be inline: ${steps.join(" → ")}`,
  hint: () => "`schemaRefs: defs` sends shared schemas as `$defs`, which may be recursive",
});

export const widerInput = defineDiagnostic<{ what: string; clients: string }>({
  code: "MW3018",
  severity: "warning",
  message: ({ what, clients }) =>
    `clients are shown a wider schema than arguments are checked against: ${clients} refuse ${what} at the root of an inputSchema`,
  hint: () => "put the choice into a property, or make a tool of each alternative",
});

export const refusedInput = defineDiagnostic<{ what: string; clients: string }>({
  code: "MW3019",
  severity: "warning",
  message: ({ what, clients }) => `${clients} refuse ${what} at the root of an inputSchema`,
});
