import { builtinModules } from "node:module";
import { packageName, semanticVersion } from "../../model/catalogue/rules-names.js";
import { quoted } from "../../text/value-words.js";
import { controlCharacterProblem, placeOf, type FormatCheck } from "./subject.js";

const LONGEST_PACKAGE_NAME = 214;
const REFUSED_NAMES: ReadonlySet<string> = new Set([
  "node_modules",
  "favicon.ico",
  ...builtinModules,
]);

const packageNameForm: FormatCheck = (subject) => {
  const control = controlCharacterProblem(subject);
  if (control !== undefined) return control;
  const reason = packageNameProblem(subject.text);
  if (reason === undefined) return undefined;
  const to = allowedNameFor(subject.text);
  return packageName(placeOf(subject), {
    found: quoted(subject.text),
    reason,
    ...(to !== undefined && { mend: { edit: "set text", to } }),
  });
};

/** The reason why npm would refuse a new package of this name. Undefined if it would not. */
function packageNameProblem(name: string): string | undefined {
  if (name === "") return "it is empty";
  if (name.length > LONGEST_PACKAGE_NAME) {
    return `it has ${name.length} characters, and at most ${LONGEST_PACKAGE_NAME} are allowed`;
  }
  if (/[A-Z]/.test(name)) return `it has upper-case letters${suggestionFor(name)}`;
  if (name.startsWith("@") && !/^@[^/]+\/[^/]+$/.test(name)) {
    return 'a name with a scope looks like "@acme/weather"';
  }
  const parts = name.replace(/^@/, "").split("/");
  if (parts.some((part) => /^[._]/.test(part))) return "it starts with a dot or an underscore";
  if (!/^(?:@[a-z0-9._~-]+\/)?[a-z0-9._~-]+$/.test(name)) {
    return `only a-z, 0-9, "-", "_", "." and "~" are allowed${suggestionFor(name)}`;
  }
  return REFUSED_NAMES.has(name) ? "the name is taken by Node.js or npm itself" : undefined;
}

/** Suggests a name with allowed characters. Empty if the name cannot be changed into one. */
function suggestionFor(name: string): string {
  const suggested = allowedNameFor(name);
  return suggested === undefined ? "" : `; write ${suggested}, and the name for people as "title"`;
}

function allowedNameFor(name: string): string | undefined {
  const suggested = name.toLowerCase().trim().replace(/\s+/g, "-");
  return /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*$/.test(suggested) && suggested !== name
    ? suggested
    : undefined;
}

const SEMANTIC_VERSION =
  /^(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

const LONGEST_VERSION = 256;

const versionForm: FormatCheck = (subject) => {
  const { text } = subject;
  if (text === "package.json") return undefined;
  if (text.length <= LONGEST_VERSION && SEMANTIC_VERSION.test(text)) return undefined;
  const written = inThreeParts(text);
  return semanticVersion(placeOf(subject), { found: quoted(text), ...(written && { written }) });
};

/** Converts `1.2` or `v1.2` to the semantic version `1.2.0`. Undefined for other forms. */
export function inThreeParts(version: string): string | undefined {
  const parts = /^v?(0|[1-9][0-9]{0,8})(?:\.(0|[1-9][0-9]{0,8}))?(?:\.(0|[1-9][0-9]{0,8}))?$/i.exec(
    version,
  );
  return parts
    ?.slice(1)
    .map((part) => part ?? "0")
    .join(".");
}

/** Formats of package.json's fields, by the name that the manifest's schema uses. */
export const packageFormats: Readonly<Record<string, FormatCheck>> = {
  "package-name": packageNameForm,
  version: versionForm,
};
