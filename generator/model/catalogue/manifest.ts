import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";

/** The shape of a manifest: keys, types and values that `schemas/manifest.schema.json` describes. */

export const wrongType = defineDiagnostic<{
  subject: string;
  expected: string;
  found: string;
  advice?: string;
}>({
  code: "MW1201",
  severity: "error",
  title: "wrong type",
  explanation: {
    cause:
      "A value is of another type than its key takes, for example text where true or false is meant.",
    example: 'tools:\n  - name: a\n    description: x\n    annotations: {readOnlyHint: "yes"}',
    fix: "Write a value of the type that the message names. Quotes make text; without them, true, 1.5 and null are not text.",
  },
  message: ({ subject, expected, found }) => `${subject} must be ${expected}, not ${found}`,
  hint: ({ advice }) => advice,
});

export const versionNotText = defineDiagnostic<{ value: number; written: string }>({
  code: "MW1202",
  severity: "error",
  title: "version without quotes",
  explanation: {
    cause: "Without quotes, YAML reads a version with one dot as a number: 1.10 becomes 1.1.",
    example: "name: demo\nversion: 1.10",
    fix: 'Put the version in quotes, with three parts: `version: "1.10.0"`.',
  },
  message: ({ value, written }) => `version is the number ${value}; write "${written}"`,
  hint: () => 'a version has three parts, such as "1.10.0"',
});

export const unknownKey = defineDiagnostic<{
  key: string;
  where: string;
  nearest?: string;
  advice?: string;
}>({
  code: "MW1203",
  severity: "error",
  title: "unknown key",
  explanation: {
    cause: "A key is misspelt, stands at the wrong place, or belongs to another format.",
    example: "tools:\n  - name: a\n    description: x\n    inputShema: {type: object}",
    fix: "Use the key that the message suggests. Keys of your own start with `x-`.",
  },
  message: ({ key, where, nearest }) => `unknown key "${key}" in ${where}${didYouMean(nearest)}`,
  hint: ({ advice }) => advice,
});

export const missingKey = defineDiagnostic<{
  key: string;
  where: string;
  purpose?: string;
  advice?: string;
}>({
  code: "MW1204",
  severity: "error",
  title: "missing key",
  explanation: {
    cause: "A key that is required is not there.",
    example: "tools:\n  - name: get_forecast",
    fix: "Add the key.",
  },
  message: ({ key, where }) => `${where} needs the key "${key}"`,
  hint: ({ key, purpose, advice }) => advice ?? (purpose && `${key}: ${purpose}`),
});

export const notAllowed = defineDiagnostic<{
  subject: string;
  found: string;
  allowed: readonly string[];
  nearest?: string;
  advice?: string;
}>({
  code: "MW1205",
  severity: "error",
  title: "value not allowed",
  explanation: {
    cause: "A key takes one of a few values, and this is none of them.",
    example: "transports: [{type: carrier-pigeon}]",
    fix: "Use one of the values that the message lists.",
  },
  message: ({ subject, found, allowed, nearest }) =>
    `${subject} must be ${listOfAllowed(allowed)}, not ${found}${didYouMean(nearest)}`,
  hint: ({ advice }) => advice,
});

function listOfAllowed(allowed: readonly string[]): string {
  return allowed.length === 1 ? `${allowed[0]}` : `one of ${allowed.join(", ")}`;
}

export const textPattern = defineDiagnostic<{ subject: string; found: string; rule: string }>({
  code: "MW1206",
  severity: "error",
  title: "text has the wrong form",
  explanation: {
    cause: "A text must have a certain form, such as a size of an icon or the name of a variable.",
    example: 'env: {"MY KEY": {}}',
    fix: "Follow the rule that the message gives.",
  },
  message: ({ subject, found, rule }) => `${subject} is ${found}: ${rule}`,
});

export const textLength = defineDiagnostic<{ subject: string; found: number; bound: string }>({
  code: "MW1207",
  severity: "error",
  title: "text too short or too long",
  explanation: {
    cause: "A text is empty where it must say something, or is longer than its limit.",
    example: 'tools: [{name: a, description: ""}]',
    fix: "Keep to the limit that the message names.",
  },
  message: ({ subject, found, bound }) =>
    bound === "at least 1"
      ? `${subject} must not be empty`
      : `${subject} must have ${bound} characters, but has ${found}`,
});

export const numberRange = defineDiagnostic<{ subject: string; found: number; bound: string }>({
  code: "MW1208",
  severity: "error",
  title: "number out of range",
  explanation: {
    cause: "A number is less or greater than its key takes.",
    example: "transports: [{type: http, port: 70000}]",
    fix: "Use a number within the bounds.",
  },
  message: ({ subject, found, bound }) => `${subject} must be ${bound}, not ${found}`,
});

export const listLength = defineDiagnostic<{ subject: string; found: number; bound: string }>({
  code: "MW1209",
  severity: "error",
  title: "list too short or too long",
  explanation: {
    cause:
      "A list is empty where it must not be, or has more items than its limit (10,000 tools, for example).",
    example: "transports: []",
    fix: "Leave the key out, or keep to the limit.",
  },
  message: ({ subject, found, bound }) =>
    bound === "at least 1"
      ? `${subject} must not be empty`
      : `${subject} must have ${bound} items, but has ${found}`,
});

export const unknownManifestVersion = defineDiagnostic<{ found: string }>({
  code: "MW1211",
  severity: "error",
  title: "unknown version of the format",
  explanation: {
    cause:
      "`manifestVersion` names a version of the manifest's format that this mcpwright does not know.",
    example: "manifestVersion: 2",
    fix: "Write `manifestVersion: 1`, leave the key out, or use a newer mcpwright.",
  },
  message: ({ found }) => `manifestVersion must be 1, the only version so far, not ${found}`,
});
