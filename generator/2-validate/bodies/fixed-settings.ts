import { undeclaredVariable } from "../../model/catalogue/bodies.js";
import { fixedSetting } from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { nearestName } from "../../text/nearest-name.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { has, mappingIn, rootOf, textIn } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";
import { meantVariable } from "../rules/meant-variable.js";
import { argumentsIn } from "./exec-command.js";

/**
 * A setting of a body that no argument changes: a text, or a variable of the environment.
 *
 * @param names of the arguments
 */
export function settingProblem(
  manifest: LoadedManifest,
  value: JsonValue | undefined,
  path: ManifestPath,
  names: ReadonlySet<string>,
): Diagnostic[] {
  if (typeof value === "string") {
    const found = unfilledPart(manifest, value, path, names);
    if (found === undefined) return [];
    const parameters = { found: quoted(found), key: String(path.at(-1)) };
    const meant = meantVariable(manifest, found);
    return [fixedSetting(manifest.locate(path, "value"), { ...parameters, ...meant })];
  }
  const name = isJsonObject(value) ? textIn(value, "env") : undefined;
  const variables = mappingIn(rootOf(manifest), "env")?.value ?? {};
  if (name === undefined || has(variables, name)) return [];
  const nearest = nearestName(name, Object.keys(variables));
  const parameters = { name, ...(nearest !== undefined && { nearest }) };
  return [undeclaredVariable(manifest.locate([...path, "env"], "value"), parameters)];
}

/** Where a folder or a file begins that elsewhere a shell fills in: with a variable, or the folder of a user. */
const FILLED_BY_SHELLS = /^(?:~(?=$|\/)|\$\{\w+\}|\$[A-Z_]\w+)/;

/** Settings that are the path of a folder or a file. */
const PATHS: readonly unknown[] = ["cwd", "root", "file"];

/** What a text has that elsewhere is filled in: a placeholder, or what a shell reads. */
function unfilledPart(
  manifest: LoadedManifest,
  text: string,
  path: ManifestPath,
  names: ReadonlySet<string>,
): string | undefined {
  const [name] = argumentsIn(parseTextTemplate(text, names).template);
  if (name !== undefined) return `{{${name}}}`;
  // Anything else may be meant as it is: other programs have placeholders of their own.
  const isVariable = /^[${]/.test(text) && meantVariable(manifest, text).variable !== undefined;
  if (isVariable) return text;
  if (!PATHS.includes(path.at(-1))) return undefined;
  return (/\{\{\s*(?:process\.)?env[.:]\w+\s*\}\}/.exec(text) ?? FILLED_BY_SHELLS.exec(text))?.[0];
}
