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
  const nodeOptions = [...sourceOptions, ...runtimeImports(model)];
  return { folder, nodeOptions, program: sourceArguments(model), parameters, hasClient };
}

/** Options that let Node.js load the entries of the runtime that every server of the manifest imports. */
function runtimeImports({ transports }: ServerModel): string[] {
  const types = transports.map(({ type }) => type).filter((type) => type !== "custom");
  const entries = [...new Set(["start", ...types])];
  return entries.flatMap((entry) => ["--import", `@mcpwright/runtime/${entry}`]);
}
