import { openCredential, undeclaredVariable } from "../../model/catalogue/bodies.js";
import type { MeantVariable } from "../../model/catalogue/message-parts.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { nearestName } from "../../text/nearest-name.js";
import { has, isNoMapping, mappingIn, rootOf } from "../manifest-view.js";

/**
 * Reports a variable that `env` of the manifest does not declare.
 *
 * @param path of the variable's name in the manifest
 * @param holds what is kept in it, if the variable needs settings for that
 */
export function variableProblems(
  manifest: LoadedManifest,
  name: string | undefined,
  path: ManifestPath,
  holds?: "credential" | "url",
): Diagnostic[] {
  const declared = mappingIn(rootOf(manifest), "env")?.value ?? {};
  if (name === undefined || has(declared, name)) return [];
  if (isNoMapping(manifest.value, "env")) return [];
  const nearest = nearestName(name, Object.keys(declared));
  const parameters = {
    name,
    ...(nearest !== undefined && { nearest }),
    ...(holds !== undefined && { holds }),
  };
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
  const problems = variableProblems(manifest, name, path, "credential");
  const variables = mappingIn(rootOf(manifest), "env");
  if (name === undefined || problems.length > 0 || variables === undefined) return problems;
  const isSecret = mappingIn(variables, name)?.value["secret"] === true;
  return isSecret ? [] : [openCredential(manifest.locate(path, "value"), { name })];
}

/** A variable that a text names in the notation of another format, or in that of placeholders. */
export interface NamedVariable {
  readonly name: string;
  /** The part of the text: `{{NAME}}`. */
  readonly found: string;
}

/** What stands before the name in code for Node.js, in Caddy's and VS Code's settings, and in GitHub's workflows. */
const PREFIX = /(?:(?:process\.)?env[.:]|secrets\.)/.source;

/** The notations of these, of shells and of placeholders: `{{NAME}}`, `{{env.NAME}}`, `${{ secrets.NAME }}`, `${NAME}`, `{env.NAME}`, `$NAME`. */
const NOTATIONS = new RegExp(
  `\\$?\\{\\{\\s{0,8}${PREFIX}?(\\w+)\\s{0,8}\\}\\}|\\$\\{${PREFIX}?(\\w+)\\}|\\{${PREFIX}(\\w+)\\}|\\$([A-Z_][A-Z0-9_]*)(?!\\w)`,
  "g",
);

/** The first declared variable that a text names, alone or beside other text. */
export function variableIn(manifest: LoadedManifest, text: string): NamedVariable | undefined {
  const declared = mappingIn(rootOf(manifest), "env")?.value ?? {};
  return [...text.matchAll(NOTATIONS)]
    .map(([found, ...names]) => ({ found, name: names.find((name) => name !== undefined) ?? "" }))
    .find(({ name }) => has(declared, name));
}

/** The declared variable that a text names or is the name of, as a parameter of a diagnostic. Empty for other texts. */
export function meantVariable(manifest: LoadedManifest, text: string): { variable?: string } {
  const declared = mappingIn(rootOf(manifest), "env")?.value ?? {};
  const variable = has(declared, text) ? text : variableIn(manifest, text)?.name;
  return variable === undefined ? {} : { variable };
}

/** A text that is nothing but a variable, or the header of a bearer token that is one. */
const VARIABLE_ALONE = new RegExp(`^(Bearer )?(?:${NOTATIONS.source})$`);

/** As `meantVariable`, and the variable that `env` does not declare yet, if it is the whole value of a setting. */
export function meantReference(manifest: LoadedManifest, text: string): MeantVariable {
  const meant = meantVariable(manifest, text);
  const [, bearer, ...names] = VARIABLE_ALONE.exec(text) ?? [];
  const undeclared = names.find((name) => name !== undefined);
  if (meant.variable !== undefined || undeclared === undefined) return meant;
  return { undeclared, isBearer: bearer !== undefined };
}
