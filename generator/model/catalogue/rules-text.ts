import { defineDiagnostic } from "../catalogue-entry.js";
import { referenceTo } from "./message-parts.js";

/** Rules about characters in names and texts, and about texts that should not be there. */

export const controlCharacter = defineDiagnostic<{
  what: string;
  characters: string;
  where: string;
}>({
  code: "MW2010",
  severity: "error",
  title: "control character",
  explanation: {
    cause:
      "A name, URI, MIME type or key has a control character, which would act on terminals, headers and logs.",
    example: 'name: "demo\\e[2J"\nversion: 1.0.0',
    fix: "Remove it. Only free text (titles, descriptions, prompt text, content) may have control characters.",
  },
  message: ({ what, characters, where }) =>
    `${what} has the control character ${characters} (${where})`,
});

export const nulCharacter = defineDiagnostic<{ what: string; where: string }>({
  code: "MW2011",
  severity: "error",
  title: "NUL character",
  explanation: {
    cause: "A text has U+0000, which many programs take for the end of the text.",
    example: 'description: "a\\0b"',
    fix: "Remove it.",
  },
  message: ({ what, where }) => `${what} has the character U+0000 (${where})`,
});

export const unpairedSurrogate = defineDiagnostic<{ what: string; where: string }>({
  code: "MW2012",
  severity: "error",
  title: "unpaired surrogate",
  explanation: {
    cause: "A text has one half of a surrogate pair, which UTF-8 cannot carry.",
    example: 'description: "\\ud800"',
    fix: 'Write the whole character, or its escape with eight digits: "\\U0001F600".',
  },
  message: ({ what, where }) => `${what} has half a surrogate pair (${where})`,
});

export const bidirectionalText = defineDiagnostic<{
  what: string;
  characters: string;
  where: string;
}>({
  code: "MW2306",
  severity: "warning",
  title: "bidirectional control",
  explanation: {
    cause:
      "A text has characters that change the order in which it is shown, so that readers see something else than models get.",
    example: 'description: "safe\\u202E evil"',
    fix: "Remove them. Arabic and Hebrew need none in most texts.",
  },
  message: ({ what, characters, where }) =>
    `${what} has characters that reorder text: ${characters} (${where})`,
});

export const hiddenText = defineDiagnostic<{ what: string; characters: string; where: string }>({
  code: "MW2307",
  severity: "warning",
  title: "hidden characters",
  explanation: {
    cause:
      "A text has characters that no reader sees but models get: a known way to hide instructions in a description.",
    example: 'description: "Adds \\U000E0049 numbers"',
    fix: "Remove them.",
  },
  message: ({ what, characters, where }) =>
    `${what} has characters that are not shown: ${characters} (${where})`,
});

export const exposedSecret = defineDiagnostic<{
  what: string;
  reason: string;
  /** The variable that the author probably meant, if the manifest declares one of that name. */
  variable?: string;
}>({
  code: "MW2305",
  severity: "warning",
  title: "secret in plain text",
  explanation: {
    cause:
      "A value looks like a key, token or password. The manifest is committed, and its values reach clients or generated files.",
    example: "env: {API_KEY: {secret: true, default: abc123}}",
    fix: "Revoke the secret if it is real, and read it from an environment variable without a default.",
  },
  message: ({ what, reason }) => `${what} looks like a secret in plain text: ${reason}`,
  hint: ({ variable }) => referenceTo(variable),
});
