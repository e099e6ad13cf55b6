import {
  mimeTypeForm,
  notAUri,
  notBase64,
  projectPath,
  refusedScheme,
  templateAmbiguous,
  templateRepeated,
  templateSyntax,
  templateUnsupported,
  templateVariable,
  uriNotCanonical,
  uriTooLong,
} from "../../model/catalogue/rules-resources.js";
import { nameReserved } from "../../model/catalogue/rules-names.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { UriTemplatePart } from "../../model/server-model.js";
import { parseUriTemplate, type UriTemplateProblem } from "../../text/uri-template.js";
import { placeInText } from "../source-text.js";
import { quoted } from "../../text/value-words.js";
import { reservedReason } from "./names.js";
import { controlCharacterProblem, placeOf, type FormatCheck, type TextSubject } from "./subject.js";
import type { Mend } from "../../model/mend.js";

const LONGEST_URI = 2048;
/** Schemes whose URIs are code or data, or that browsers create. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(["javascript", "data", "vbscript", "blob"]);

const uri: FormatCheck = (subject) =>
  controlCharacterProblem(subject) ?? lengthProblem(subject) ?? uriProblem(subject, subject.text);

const resourceUri: FormatCheck = (subject) =>
  variableProblem(subject) ?? uri(subject) ?? canonicalProblem(subject, subject.text);

/** Reports a URI template in place of a URI. */
function variableProblem(subject: TextSubject): Diagnostic | undefined {
  if (!/\{[+/.?]?\w+[^{}]*\}/.test(subject.text)) return undefined;
  const reason =
    'it has variables; such an item stands under "resourceTemplates", as its uriTemplate';
  return notAUri(placeOf(subject), { found: quoted(subject.text), reason });
}

const uriTemplate: FormatCheck = (subject) => {
  const problem = controlCharacterProblem(subject) ?? lengthProblem(subject);
  if (problem !== undefined) return problem;
  const parsed = parseUriTemplate(subject.text);
  if (!parsed.ok) return templateDiagnostic(subject, parsed.problem);
  const instance = instanceOf(parsed.parts);
  return uriProblem(subject, instance) ?? canonicalProblem(subject, instance);
};

function lengthProblem(subject: TextSubject): Diagnostic | undefined {
  const found = subject.text.length;
  if (found <= LONGEST_URI) return undefined;
  return uriTooLong(placeOf(subject), { found, limit: LONGEST_URI });
}

/** @param instance the URI, or a URI that matches the template */
function uriProblem(subject: TextSubject, instance: string): Diagnostic | undefined {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(instance)?.[1]?.toLowerCase();
  const found = quoted(subject.text);
  if (scheme === undefined) {
    return notAUri(placeOf(subject), { found, reason: 'it has no scheme, such as "demo://"' });
  }
  if (REFUSED_SCHEMES.has(scheme)) return refusedScheme(placeOf(subject), { scheme });
  if (/[\s"<>\\^`{|}]/.test(instance)) {
    const reason = "it has characters that must be percent-encoded";
    return notAUri(placeOf(subject), { found, reason });
  }
  if (URL.canParse(instance)) return undefined;
  const name = /\/:([A-Za-z_][A-Za-z0-9_]*)/.exec(subject.text)?.[1];
  const meant = name === undefined ? "" : `; a variable is written {${name}}`;
  return notAUri(placeOf(subject), { found, reason: `it cannot be parsed${meant}` });
}

function canonicalProblem(subject: TextSubject, instance: string): Diagnostic | undefined {
  const canonical = new URL(instance).href;
  if (canonical === instance) return undefined;
  return uriNotCanonical(placeOf(subject), {
    found: quoted(instance),
    canonical: quoted(canonical),
    ...(subject.text === instance && { mend: { edit: "set text", to: canonical } }),
  });
}

/** A URI that matches the template. Each variable has its own name, in lower case, as its value. */
function instanceOf(parts: readonly UriTemplatePart[]): string {
  const expanded = parts.map((part) => {
    if (part.kind === "literal") return part.text;
    const { operator, names } = part;
    const values = names.map((name) => name.toLowerCase());
    if (operator === "?") return `?${values.map((value) => `${value}=1`).join("&")}`;
    return `${operator === "+" ? "" : operator}${values.join("")}`;
  });
  const [first] = parts;
  // The value of a variable at the start must not be read as a scheme.
  return first?.kind === "literal" ? expanded.join("") : `/${expanded.join("")}`;
}

function templateDiagnostic(subject: TextSubject, problem: UriTemplateProblem): Diagnostic {
  const { manifest, path, text } = subject;
  const place = placeInText(manifest, path, text, problem.offset, problem.length);
  const found = quoted(problem.found);
  switch (problem.kind) {
    case "lone brace":
      return templateSyntax(place, { found, ...adviceForBraces(text) });
    case "unsupported":
      return templateUnsupported(place, { found });
    case "bad variable":
      return templateVariable(place, { found });
    case "reserved variable": {
      const name = problem.found.replace(/\*$|:[0-9]*$/, "");
      const reason = reservedReason(name) ?? "";
      return nameReserved(place, { what: "a variable", name: quoted(name), reason });
    }
    case "repeated variable":
      return templateRepeated(place, { found });
    case "ambiguous":
      return templateAmbiguous(place, { found });
  }
}

/** Advice for the braces that bodies and prompts of a manifest have: `{{name}}`. */
function adviceForBraces(template: string): { readonly advice?: string; readonly mend?: Mend } {
  const name = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/.exec(template)?.[1];
  if (name === undefined) return {};
  const [found = ""] = /\{\{\s*[A-Za-z_][A-Za-z0-9_]*\s*\}\}/.exec(template) ?? [];
  return {
    advice: `a variable is written with one brace on each side: {${name}}`,
    mend: { edit: "replace part", from: found, to: `{${name}}` },
  };
}

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const MIME_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?: ?; ?${TOKEN}=(?:${TOKEN}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"))*$`,
);
const LONGEST_MIME_TYPE = 255;

const mimeType: FormatCheck = (subject) => {
  const { text } = subject;
  if (text.length <= LONGEST_MIME_TYPE && MIME_TYPE.test(text)) return undefined;
  return mimeTypeForm(placeOf(subject), { found: quoted(text) });
};

const base64: FormatCheck = (subject) => {
  const reason = base64Problem(subject.text);
  if (reason === undefined) return undefined;
  const to = inUsualAlphabet(subject.text);
  const mend: Mend | undefined = to === undefined ? undefined : { edit: "set text", to };
  return notBase64(placeOf(subject), { reason, ...(mend && { mend }) });
};

/** The same bytes in the usual form: other signs in the alphabet of URLs, or without padding. */
function inUsualAlphabet(text: string): string | undefined {
  const digits = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(digits) || digits.length % 4 === 1) return undefined;
  return digits + "=".repeat(-digits.length & 3);
}

function base64Problem(text: string): string | undefined {
  const wrong = /[^A-Za-z0-9+/=]/u.exec(text)?.[0];
  if (wrong !== undefined) return `it has the character ${quoted(wrong)}`;
  if (text.length % 4 !== 0) return `its length, ${text.length}, is no multiple of 4`;
  return /^[^=]*={0,2}$/.test(text) ? undefined : '"=" stands before the end';
}

const wholeFile: FormatCheck = (subject) => {
  const control = controlCharacterProblem(subject);
  if (control !== undefined) return control;
  const reason = pathProblem(subject.text);
  if (reason === undefined) return undefined;
  const to = subject.text.replaceAll("\\", "/").replace(/^\.\//, "");
  const isMended = to !== subject.text && pathProblem(to) === undefined;
  return projectPath(placeOf(subject), {
    found: quoted(subject.text),
    reason,
    ...(isMended && { mend: { edit: "set text", to } }),
  });
};

function pathProblem(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (/^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(path)) return "it is a URL, and a file is meant";
  if (path.includes("\\")) return 'folders are separated by "/"';
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "it is absolute";
  if (path.startsWith("~")) return '"~" leads to a home folder';
  const segments = path.split("/");
  if (segments.includes("..")) return '".." leads out of a folder';
  return segments.some((segment) => segment === "" || segment === ".")
    ? 'it has an empty segment or "."'
    : undefined;
}

/** Formats of resources and content, by the name that the manifest's schema uses. */
export const resourceFormats: Readonly<Record<string, FormatCheck>> = {
  uri,
  "resource-uri": resourceUri,
  "uri-template": uriTemplate,
  "mime-type": mimeType,
  base64,
  "project-path": wholeFile,
};
