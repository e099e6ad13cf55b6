import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { isSecretName } from "../../2-validate/rules/secrets.js";
import { isSecretKey } from "../../record/secrets.js";
import type { Terminal } from "../terminal.js";
import type { ValidManifest } from "./valid-manifest.js";

/** Values shorter than this are no secrets because of the name of their variable alone. */
const SHORTEST = 8;

/**
 * The values of secrets that the server may know: of the variables that the manifest calls secret, and of others with such
 * a name, in this environment and in `.env` beside the manifest.
 */
export function knownSecrets(
  { model, folder }: ValidManifest,
  environment: Terminal["env"],
): string[] {
  const secret = new Set(model().env.flatMap(({ name, secret: is }) => (is ? [name] : [])));
  const variables = [...Object.entries(environment), ...Object.entries(fileVariables(folder))];
  return variables.flatMap(([name, value = ""]) => {
    const isKnown =
      secret.has(name) || ((isSecretName(name) || isSecretKey(name)) && value.length >= SHORTEST);
    return isKnown && value !== "" ? [value] : [];
  });
}

function fileVariables(folder: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(join(folder, ".env"), "utf8"));
  } catch {
    return {};
  }
}
