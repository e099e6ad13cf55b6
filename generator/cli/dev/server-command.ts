import { httpTransport } from "../../5-emit/model-facts.js";
import { sourceArguments } from "../../5-emit/project/package-json.js";
import type { ServerModel } from "../../model/server-model.js";
import type { ServerCommand } from "./project-server.js";

/**
 * The command that starts a project's server. The server uses HTTP if the manifest has that transport, and stdio if
 * not, unless the arguments that are passed on choose one.
 */
export function serverCommand(
  model: ServerModel,
  folder: string,
  passedOn: readonly string[],
): ServerCommand {
  const isChosen = passedOn.some((argument) => argument === "--stdio" || argument === "--http");
  const transport = httpTransport(model) === undefined ? "--stdio" : "--http";
  const parameters = isChosen ? passedOn : [transport, ...passedOn];
  const hasClient = parameters.includes("--stdio");
  return { folder, program: sourceArguments(model), parameters, hasClient };
}
