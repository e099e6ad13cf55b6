import { fixedSetting } from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { argumentsIn } from "../../text/template-arguments.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { textIn } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";
import { meantVariable, variableProblems } from "../rules/variables.js";

/**
 * Checks a setting that has no placeholders: a text, or a reference to a variable of the environment.
 *
 * @param names of the arguments
 */
export function fixedSettingProblems(
  manifest: LoadedManifest,
  value: JsonValue | undefined,
  path: ManifestPath,
  names: ReadonlySet<string>,
): Diagnostic[] {
  if (typeof value === "string") {
    const found = literalPlaceholder(manifest, value, path, names);
    if (found === undefined) return [];
    const parameters = { found: quoted(found), key: String(path.at(-1)) };
    const meant = meantVariable(manifest, found);
    return [fixedSetting(manifest.locate(path, "value"), { ...parameters, ...meant })];
  }
  const name = isJsonObject(value) ? textIn(value, "env") : undefined;
  return variableProblems(manifest, name, [...path, "env"]);
}

/** The beginnings of paths that a shell would replace: a variable, or the folder of a user. */
const REPLACED_BY_SHELLS = /^(?:~(?=$|\/)|\$\{\w+\}|\$[A-Z_]\w+)/;

/** The keys of settings that are the path of a folder or a file. */
const PATHS: readonly unknown[] = ["cwd", "root", "file"];

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
  const isVariable = /^[${]/.test(text) && meantVariable(manifest, text).variable !== undefined;
  if (isVariable) return text;
  if (!PATHS.includes(path.at(-1))) return undefined;
  return (/\{\{\s*(?:process\.)?env[.:]\w+\s*\}\}/.exec(text) ??
    REPLACED_BY_SHELLS.exec(text))?.[0];
}
