import type { ServerModel } from "../../model/server-model.js";
import { callOf, objectOf, sequenceOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { commandName, hasTransport, httpTransport } from "../model-facts.js";
import { clientUrl, tokenVariable } from "../project/client-entries.js";
import { serverVariables } from "../project/env-example.js";
import type { FileStatements } from "../typescript-printer.js";
import type { Entry } from "./item-settings.js";
import { importOf } from "./structures.js";

/** `src/generated/install-client.ts`, which `npm run install:client` runs. */
export function installClientModule(model: ServerModel): FileStatements {
  const http = httpTransport(model);
  const token = tokenVariable(model);
  const isStarted = hasTransport(model, "stdio");
  const server = objectOf([
    ["name", writeString(commandName(model))],
    ["isStarted", String(isStarted)],
    ["hasVariables", String(serverVariables(model).length > 0)],
    ...(http === undefined || isStarted
      ? []
      : [["url", writeString(clientUrl(model, http))] satisfies Entry]),
    ...(token === undefined ? [] : [["token", writeString(token)] satisfies Entry]),
  ]);
  const call = callOf("await installClient", [server, "root", "process.argv.slice(2)"]);
  return [
    importOf("@mcpwright/runtime/clients", ["installClient"]),
    importOf("./server.ts", ["server"]),
    "const { root } = server;",
    { code: sequenceOf(["process.exitCode = ", call, ";"]) },
  ];
}
