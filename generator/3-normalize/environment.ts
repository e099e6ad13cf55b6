import type { ManifestEnvironmentVariable } from "../model/manifest.js";
import type { EnvVariableModel } from "../model/server-model.js";
import { pickDefined } from "./pick.js";

/** `env` of the manifest, in the order of names; a variable without settings is an optional string. */
export function normalizeEnvironment(
  env: Readonly<Record<string, ManifestEnvironmentVariable | null>>,
): EnvVariableModel[] {
  return Object.entries(env).map(([name, settings]) => {
    const variable = settings ?? {};
    return {
      name,
      type: variable.type ?? "string",
      required: variable.required ?? false,
      secret: variable.secret ?? false,
      ...pickDefined(variable, ["description", "default", "enum"]),
    };
  });
}
