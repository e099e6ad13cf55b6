import { httpTransport, sourceArguments } from "../../5-emit/project/package-json.js";
import type { ServerModel } from "../../model/server-model.js";
import type { ServerCommand } from "./project-server.js";

/**
 * How the project's server is run, with what the command line passes on to it: over HTTP where the
 * manifest has it, unless the command line says which transport it wants.
 */
export function serverCommand(
  model: ServerModel,
  folder: string,
  passedOn: readonly string[],
): ServerCommand {
  const isChosen = passedOn.some((word) => word === "--stdio" || word === "--http");
  const usual = httpTransport(model) === undefined ? "--stdio" : "--http";
  const parameters = isChosen ? passedOn : [usual, ...passedOn];
  const hasClient = parameters.includes("--stdio");
  return { folder, program: sourceArguments(model), parameters, hasClient };
}
