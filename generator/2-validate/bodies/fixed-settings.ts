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
    const found = unfilledPart(value, path, names);
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

/** What a text has that elsewhere is filled in: a placeholder, a variable of a shell, the folder of a user. */
function unfilledPart(
  text: string,
  path: ManifestPath,
  names: ReadonlySet<string>,
): string | undefined {
  const [name] = argumentsIn(parseTextTemplate(text, names).template);
  if (name !== undefined) return `{{${name}}}`;
  const isPath = path.at(-2) !== "env";
  const part = isPath
    ? /\{\{[^{}]+\}\}|\$\{\w+\}|\$[A-Z_]\w+|^~(?=$|\/)/
    : /^\$\{\w+\}$|^\$[A-Z_]\w*$/;
  return part.exec(text)?.[0];
}
