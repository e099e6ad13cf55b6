import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean, mendOfName } from "./message-parts.js";
import type { Mend } from "../mend.js";

/** Rules about forms that handlers show to users: `requestedSchema` of an elicitation. */

export const formRoot = defineDiagnostic<{ found: string }>({
  code: "MW3070",
  message: ({ found }) =>
    `a form must be a schema with type: object and its fields under "properties", not ${found}`,
});

export const formField = defineDiagnostic<{ found: string; advice?: string }>({
  code: "MW3071",
  message: ({ found }) =>
    `a field of a form must have type: string, number, integer, boolean, or array for several choices, not ${found}`,
  hint: ({ advice }) => advice,
});

export const formKeyword = defineDiagnostic<{
  keyword: string;
  what: string;
  allowed: readonly string[];
}>({
  code: "MW3072",
  message: ({ keyword, what, allowed }) =>
    `"${keyword}" has no meaning in ${what}; it can have ${allowed.join(", ")}`,
});

export const formFormat = defineDiagnostic<{ found: string; nearest?: string; mend?: Mend }>({
  code: "MW3073",
  message: ({ found, nearest }) =>
    `the format in a form must be email, uri, date or date-time, not ${found}${didYouMean(nearest)}`,
  mend: ({ mend }) => mend,
});

export const formChoices = defineDiagnostic<{ expected: string; found: string }>({
  code: "MW3074",
  message: ({ expected, found }) => `${expected}, not ${found}`,
});

export const formRequired = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW3075",
  message: ({ name, nearest }) => `the form has no field ${name}${didYouMean(nearest)}`,
  mend: mendOfName,
});

export const formChoiceCount = defineDiagnostic<{ least: number; choices: number }>({
  code: "MW3076",
  message: ({ least, choices }) =>
    `no answer can have ${least} of ${choices} choice${choices === 1 ? "" : "s"}`,
});
