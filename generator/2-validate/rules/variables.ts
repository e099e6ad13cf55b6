import { openCredential, undeclaredVariable } from "../../model/catalogue/bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { nearestName } from "../../text/nearest-name.js";
import { has, mappingIn, rootOf } from "../manifest-view.js";

/**
 * Reports a variable that `env` of the manifest does not declare.
 *
 * @param path of the variable's name in the manifest
 */
export function variableProblems(
  manifest: LoadedManifest,
  name: string | undefined,
  path: ManifestPath,
): Diagnostic[] {
  const declared = mappingIn(rootOf(manifest), "env")?.value ?? {};
  if (name === undefined || has(declared, name)) return [];
  const nearest = nearestName(name, Object.keys(declared));
  const parameters = { name, ...(nearest !== undefined && { nearest }) };
  return [undeclaredVariable(manifest.locate(path, "value"), parameters)];
}

/**
 * Reports a variable for a credential that `env` does not declare, or does not declare as secret.
 *
 * @param path of the variable's name in the manifest
 */
export function credentialProblems(
  manifest: LoadedManifest,
  name: string | undefined,
  path: ManifestPath,
): Diagnostic[] {
  const problems = variableProblems(manifest, name, path);
  if (name === undefined || problems.length > 0) return problems;
  const variables = mappingIn(rootOf(manifest), "env");
  const isSecret = variables && mappingIn(variables, name)?.value["secret"] === true;
  return isSecret === true ? [] : [openCredential(manifest.locate(path, "value"), { name })];
}

/** The notations that other formats have for variables: `$NAME`, `${NAME}`, `{{env.NAME}}`. */
const OTHER_NOTATION = /^(?:\$(?:\{(?:env[.:])?)?|\{\{\s*(?:process\.)?env[.:])?(\w+)\s*\}{0,2}$/;

/** The declared variable that a text names in any notation, as a parameter of a diagnostic. Empty for other texts. */
export function meantVariable(manifest: LoadedManifest, text: string): { variable?: string } {
  const variables = mappingIn(rootOf(manifest), "env")?.value ?? {};
  const name = OTHER_NOTATION.exec(text)?.[1];
  return name !== undefined && has(variables, name) ? { variable: name } : {};
}
