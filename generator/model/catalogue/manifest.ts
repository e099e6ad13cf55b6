import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";
import type { Mend } from "../mend.js";

/** The shape of a manifest: keys, types and values that `schemas/manifest.schema.json` describes. */

export const wrongType = defineDiagnostic<{
  subject: string;
  expected: string;
  found: string;
  advice?: string;
  mend?: Mend;
}>({
  code: "MW1201",
  message: ({ subject, expected, found }) => `${subject} must be ${expected}, not ${found}`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const versionNotText = defineDiagnostic<{ value: number; written: string }>({
  code: "MW1202",
  message: ({ value, written }) => `version is the number ${value}; write "${written}"`,
  hint: () => 'a version has three parts, such as "1.10.0"',
  mend: ({ written }) => ({ edit: "set value", to: written }),
});

export const unknownKey = defineDiagnostic<{
  key: string;
  where: string;
  nearest?: string;
  advice?: string;
  mend?: Mend;
}>({
  code: "MW1203",
  message: ({ key, where, nearest }) => `unknown key "${key}" in ${where}${didYouMean(nearest)}`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const missingKey = defineDiagnostic<{
  key: string;
  where: string;
  purpose?: string;
  mend?: Mend;
}>({
  code: "MW1204",
  message: ({ key, where }) => `${where} needs the key "${key}"`,
  hint: ({ key, purpose }) => purpose && `${key}: ${purpose}`,
  mend: ({ mend }) => mend,
});

export const notAllowed = defineDiagnostic<{
  subject: string;
  found: string;
  allowed: readonly string[];
  nearest?: string;
  mend?: Mend;
}>({
  code: "MW1205",
  message: ({ subject, found, allowed, nearest }) =>
    `${subject} must be ${listOfAllowed(allowed)}, not ${found}${didYouMean(nearest)}`,
  mend: ({ mend }) => mend,
});

function listOfAllowed(allowed: readonly string[]): string {
  return allowed.length === 1 ? `${allowed[0]}` : `one of ${allowed.join(", ")}`;
}

export const textPattern = defineDiagnostic<{
  subject: string;
  found: string;
  rule: string;
  advice?: string;
  mend?: Mend;
}>({
  code: "MW1206",
  message: ({ subject, found, rule }) => `${subject} is ${found}: ${rule}`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const textLength = defineDiagnostic<{ subject: string; found: number; bound: string }>({
  code: "MW1207",
  message: ({ subject, found, bound }) =>
    bound === "at least 1"
      ? `${subject} must not be empty`
      : `${subject} must have ${bound} characters, but has ${found}`,
});

export const numberRange = defineDiagnostic<{ subject: string; found: number; bound: string }>({
  code: "MW1208",
  message: ({ subject, found, bound }) => `${subject} must be ${bound}, not ${found}`,
});

export const listLength = defineDiagnostic<{ subject: string; found: number; bound: string }>({
  code: "MW1209",
  message: ({ subject, found, bound }) =>
    bound === "at least 1"
      ? `${subject} must not be empty`
      : `${subject} must have ${bound} items, but has ${found}`,
});

export const unknownManifestVersion = defineDiagnostic<{ found: string }>({
  code: "MW1211",
  message: ({ found }) => `manifestVersion must be 1, the only version so far, not ${found}`,
  mend: ({ found }) => (found === 'the text "1"' ? { edit: "unquote", to: 1 } : undefined),
});
