import { sourceArguments, sourceOptions } from "../../5-emit/project/package-json.js";
import type { ServerModel } from "../../model/server-model.js";
import type { ServerCommand } from "./project-server.js";

/**
 * The command that starts a project's server. Unless the arguments that are passed on choose transports, the server uses one
 * of the manifest: HTTP if it is there, otherwise stdio, otherwise the first.
 */
export function serverCommand(
  model: ServerModel,
  folder: string,
  passedOn: readonly string[],
): ServerCommand {
  const types = model.transports.map(({ type }) => type);
  const isChosen = types.some((type) => passedOn.includes(`--${type}`));
  const usual = (["http", "stdio"] as const).find((type) => types.includes(type));
  const parameters = isChosen ? passedOn : [`--${usual ?? types[0]}`, ...passedOn];
  const hasClient = parameters.includes("--stdio");
  const program = sourceArguments(model);
  return { folder, nodeOptions: sourceOptions, program, parameters, hasClient };
}
