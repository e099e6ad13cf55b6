import { defineDiagnostic } from "../catalogue-entry.js";
import { type MeantVariable, referenceTo } from "./message-parts.js";

/** Rules about characters in names and texts, and about texts that should not be there. */

export const controlCharacter = defineDiagnostic<{
  what: string;
  characters: string;
  where: string;
}>({
  code: "MW2010",
  severity: "error",
  message: ({ what, characters, where }) =>
    `${what} has the control character ${characters} (${where})`,
});

export const nulCharacter = defineDiagnostic<{ what: string; where: string }>({
  code: "MW2011",
  severity: "error",
  message: ({ what, where }) => `${what} has the character U+0000 (${where})`,
});

export const unpairedSurrogate = defineDiagnostic<{ what: string; where: string }>({
  code: "MW2012",
  severity: "error",
  message: ({ what, where }) => `${what} has half a surrogate pair (${where})`,
});

export const bidirectionalText = defineDiagnostic<{
  what: string;
  characters: string;
  where: string;
}>({
  code: "MW2306",
  severity: "warning",
  message: ({ what, characters, where }) =>
    `${what} has characters that reorder text: ${characters} (${where})`,
});

export const hiddenText = defineDiagnostic<{ what: string; characters: string; where: string }>({
  code: "MW2307",
  severity: "warning",
  message: ({ what, characters, where }) =>
    `${what} has characters that are not shown: ${characters} (${where})`,
});

export const exposedSecret = defineDiagnostic<MeantVariable & { what: string; reason: string }>({
  code: "MW2305",
  severity: "warning",
  message: ({ what, reason }) => `${what} looks like a secret in plain text: ${reason}`,
  hint: referenceTo,
});
