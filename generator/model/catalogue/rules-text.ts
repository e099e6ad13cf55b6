import { defineDiagnostic } from "../catalogue-entry.js";
import { type MeantVariable, mendOfReference, referenceTo } from "./message-parts.js";

/** Rules about characters in names and texts, and about texts that should not be there. */

export const controlCharacter = defineDiagnostic<{
  what: string;
  characters: string;
  where: string;
}>({
  code: "MW2010",
  message: ({ what, characters, where }) =>
    `${what} has the control character ${characters} (${where})`,
});

export const nulCharacter = defineDiagnostic<{ what: string; where: string }>({
  code: "MW2011",
  message: ({ what, where }) => `${what} has the character U+0000 (${where})`,
});

export const unpairedSurrogate = defineDiagnostic<{ what: string; where: string }>({
  code: "MW2012",
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

export const exposedSecret = defineDiagnostic<
  MeantVariable & {
    what: string;
    reason: string;
    /** The text, where a reference may stand in its place. */
    found?: string;
    /** The header that has it, in a request, where no reference may stand. */
    header?: string;
  }
>({
  code: "MW2305",
  severity: "warning",
  message: ({ what, reason }) => `${what} looks like a secret in plain text: ${reason}`,
  // A trial of coding agents, which wrote the reference into the request, as the hint for upstreams says.
  hint: ({ header, ...meant }) => {
    const name = meant.variable ?? meant.undeclared;
    if (header === undefined || name === undefined) return referenceTo(meant);
    return `the upstream sends it: write headers: { ${header}: { env: ${name} } } there`;
  },
  mend: ({ found, variable }) =>
    found === undefined ? undefined : mendOfReference({ found, ...(variable && { variable }) }),
});
