import { defineDiagnostic } from "../catalogue-entry.js";
import { lineSeenFrom, type Place } from "../place.js";
import { didYouMean, type MeantVariable, mendOfReference, referenceTo } from "./message-parts.js";
import type { Mend } from "../mend.js";

/** Rules about URIs, URI templates and the content of resources. */

export const notAUri = defineDiagnostic<{ found: string; reason: string }>({
  code: "MW2020",
  message: ({ found, reason }) => `${found} is not a URI that can be read: ${reason}`,
});

export const refusedScheme = defineDiagnostic<{ scheme: string }>({
  code: "MW2021",
  message: ({ scheme }) => `the scheme ${scheme} is refused: such a URI is no name of a resource`,
});

export const uriNotCanonical = defineDiagnostic<{ found: string; canonical: string; mend?: Mend }>({
  code: "MW2022",
  message: ({ found, canonical }) => `${found} is not canonical; write ${canonical}`,
  mend: ({ mend }) => mend,
});

export const duplicateUri = defineDiagnostic<{ found: string; first: Place }>({
  code: "MW2023",
  message: ({ found, first }, place) =>
    `${found} is here twice; the first is on ${lineSeenFrom(place, first)}`,
});

export const uriTooLong = defineDiagnostic<{ found: number; limit: number }>({
  code: "MW2024",
  message: ({ found, limit }) => `the URI has ${found} characters; at most ${limit} are allowed`,
});

export const mimeTypeForm = defineDiagnostic<{ found: string }>({
  code: "MW2025",
  message: ({ found }) => `${found} is not a MIME type such as "text/markdown"`,
});

export const contentConflict = defineDiagnostic<{ what: string; keys: readonly string[] }>({
  code: "MW2026",
  message: ({ what, keys }) => `${what} needs exactly one of ${keys.join(", ")}`,
});

export const notBase64 = defineDiagnostic<{ reason: string; mend?: Mend }>({
  code: "MW2027",
  message: ({ reason }) => `this is not base64: ${reason}`,
  mend: ({ mend }) => mend,
});

export const projectPath = defineDiagnostic<{ found: string; reason: string; mend?: Mend }>({
  code: "MW2028",
  message: ({ found, reason }) => `${found} is no path inside the project: ${reason}`,
  mend: ({ mend }) => mend,
});

export const urlForm = defineDiagnostic<MeantVariable & { found: string; expected: string }>({
  code: "MW2029",
  message: ({ found, expected }) => `${found} must be ${expected}`,
  hint: referenceTo,
  mend: mendOfReference,
});

export const templateSyntax = defineDiagnostic<{ found: string; advice?: string; mend?: Mend }>({
  code: "MW2030",
  message: ({ found }) => `${found} in the URI template opens or closes nothing`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const nearVariable = defineDiagnostic<{ found: string; written: string }>({
  code: "MW2312",
  severity: "warning",
  message: ({ found, written }) => `${found} is plain text; ${written}`,
});

export const templateUnsupported = defineDiagnostic<{ found: string }>({
  code: "MW2031",
  message: ({ found }) =>
    `${found} is not supported here; use {x}, {+x}, {/x}, {.x}, and at the end {?a,b} or {/path*}`,
});

export const templateVariable = defineDiagnostic<{ found: string }>({
  code: "MW2032",
  message: ({ found }) =>
    `${found} is no name of a variable: letters, digits and underscores, no digit first`,
});

export const templateRepeated = defineDiagnostic<{ found: string }>({
  code: "MW2033",
  message: ({ found }) => `the variable ${found} is in the URI template twice`,
});

export const templateAmbiguous = defineDiagnostic<{ found: string }>({
  code: "MW2034",
  message: ({ found }) =>
    `before ${found}, it is not clear where the expression to its left ends; put a slash between them`,
});

export const unknownVariable = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW2035",
  message: ({ found, nearest }) =>
    `the URI template has no variable ${found}${didYouMean(nearest)}`,
  mend: ({ nearest }) =>
    nearest === undefined ? undefined : { edit: "rename key", to: nearest, ifOnly: true },
});

export const servedSecret = defineDiagnostic<{ found: string }>({
  code: "MW2310",
  severity: "warning",
  message: ({ found }) =>
    `${found} looks like a file of secrets, and whoever reads this resource gets all of it`,
});

export const resourceFileAbsent = defineDiagnostic<{ file: string }>({
  code: "MW4044",
  severity: "warning",
  message: ({ file }) =>
    `there is no file ${file} in the project, so that callers who read it get an error`,
});
