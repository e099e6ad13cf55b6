import type { ServerModel } from "../../model/server-model.js";
import { serverVariables } from "../project/env-example.js";

/** The variables of a server, as the settings of a platform have them. */
export interface PlatformVariables {
  /** The texts of those that have a default. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The secrets without which the server does not start. */
  readonly secrets: readonly string[];
  readonly optionalSecrets: readonly string[];
  /** Others without which it does not start, and that have no default. */
  readonly unset: readonly string[];
}

/** The variables of a server. Secrets are told by their names alone. */
export function platformVariables(model: ServerModel): PlatformVariables {
  const variables = serverVariables(model);
  const names = (chosen: (variable: (typeof variables)[number]) => boolean): string[] =>
    variables.filter(chosen).map(({ name }) => name);
  return {
    defaults: Object.fromEntries(
      variables.flatMap(({ name, secret, default: value }) =>
        secret || value === undefined ? [] : [[name, String(value)] as const],
      ),
    ),
    secrets: names(({ secret, required }) => secret && required),
    optionalSecrets: names(({ secret, required }) => secret && !required),
    unset: names(
      ({ secret, required, default: value }) => !secret && required && value === undefined,
    ),
  };
}
