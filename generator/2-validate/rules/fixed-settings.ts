import { fixedSetting } from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { argumentsIn } from "../../text/template-arguments.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { textIn } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";
import { meantVariable, variableIn, variableProblems } from "./variables.js";

/**
 * Checks a setting that has no placeholders: a text, or a reference to a variable of the environment.
 *
 * @param names of the arguments
 */
export function fixedSettingProblems(
  manifest: LoadedManifest,
  value: JsonValue | undefined,
  path: ManifestPath,
  names: ReadonlySet<string> = new Set(),
): Diagnostic[] {
  if (typeof value === "string") {
    const found = literalPlaceholder(manifest, value, path, names);
    return found === undefined ? [] : [literalPart(manifest, value, found, path)];
  }
  const name = isJsonObject(value) ? textIn(value, "env") : undefined;
  return variableProblems(manifest, name, [...path, "env"]);
}

/** What a URL cannot mean literally: two braces, a brace after a dollar sign, and braces in its host. */
const LITERAL_IN_URLS = [
  /\$?\{\{(?:[^{}]*\}\})?|\$\{(?:[^{}]*\})?/,
  /^\w+:\/\/[^/?#{]*(\{[^{}/]*\})/,
];

/** Reports the part of a URL that looks like a placeholder or a variable. A URL that is nothing else is no URL. */
export function literalUrlProblems(
  manifest: LoadedManifest,
  url: string,
  path: ManifestPath,
): Diagnostic[] {
  const literals = LITERAL_IN_URLS.flatMap((pattern) => {
    const match = pattern.exec(url);
    return match?.[1] ?? match?.[0] ?? [];
  });
  const found = variableIn(manifest, url)?.found ?? literals[0];
  if (found === undefined || found === url) return [];
  return [literalPart(manifest, url, found, path)];
}

/** @param found the part of the text that looks like a placeholder or a variable */
function literalPart(
  manifest: LoadedManifest,
  text: string,
  found: string,
  path: ManifestPath,
): Diagnostic {
  const key = path.findLast((step) => typeof step === "string") ?? "";
  const isBearer = /^authorization$/i.test(key) && /^bearer $/i.test(text.replace(found, ""));
  return fixedSetting(manifest.locate(path, "value"), {
    found: quoted(found),
    key,
    ...meantVariable(manifest, found),
    ...(found !== text && { place: isBearer ? "bearer" : "part" }),
  });
}

/** The beginnings of paths that a shell would replace: a variable, or the folder of a user. */
const REPLACED_BY_SHELLS = /^(?:~(?=$|\/)|\$\{\w+\}|\$[A-Z_]\w+)/;

/** The keys of settings that are the path of a folder or a file. */
const PATHS: readonly unknown[] = ["cwd", "root", "file", "jwks"];

/** The keys of what a program gets, which may replace variables in the notation of shells itself. */
const OF_PROGRAMS: readonly unknown[] = ["command", "env"];

/** The part of a text that looks like a placeholder or a variable, although the server uses it literally. */
function literalPlaceholder(
  manifest: LoadedManifest,
  text: string,
  path: ManifestPath,
  names: ReadonlySet<string>,
): string | undefined {
  const [name] = argumentsIn(parseTextTemplate(text, names).template);
  if (name !== undefined) return `{{${name}}}`;
  // Other braces may be meant literally: other programs have placeholders of their own.
  const found = variableIn(manifest, text)?.found;
  const isForProgram = OF_PROGRAMS.includes(path.at(-2));
  if (found !== undefined && (!isForProgram || found === text || found.startsWith("{{"))) {
    return found;
  }
  if (!PATHS.includes(path.at(-1))) return undefined;
  return (/\{\{\s*(?:process\.)?env[.:]\w+\s*\}\}/.exec(text) ??
    REPLACED_BY_SHELLS.exec(text))?.[0];
}
