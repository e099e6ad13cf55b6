import type { ServerModel } from "../../model/server-model.js";
import { callOf, objectOf, sequenceOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { commandName, hasTransport, httpTransport } from "../model-facts.js";
import { clientUrl, tokenVariable } from "../project/client-entries.js";
import { serverVariables } from "../project/env-example.js";
import type { FileStatements } from "../typescript-printer.js";
import type { Entry } from "./item-settings.js";
import { importOf } from "./structures.js";

/** `src/main.ts`: starts the server as a process. */
export function mainModule(): FileStatements {
  return [
    importOf("@mcpwright/runtime/start", ["start"]),
    importOf("./generated/server.ts", ["server"]),
    { code: "await start(server);" },
  ];
}

/** `src/generated/worker.ts`: serves the transport `http` where a platform calls a function for each request. */
export function workerModule(): FileStatements {
  const settings = objectOf([
    ["address", '(request) => request.headers.get("cf-connecting-ip") ?? undefined'],
    ["waitUntil", "(work, context: WorkerContext) => context.waitUntil(work)"],
  ]);
  const handler = "(request: Request, _env: unknown, context: WorkerContext): Promise<Response>";
  return [
    importOf("@mcpwright/runtime/fetch", ["fetchHandler"]),
    importOf("./server.ts", ["server"]),
    "/** What the platform passes beside a request. */\ninterface WorkerContext {\n  waitUntil(work: Promise<unknown>): void;\n}",
    { code: sequenceOf(["const handle = ", callOf("fetchHandler", ["server", settings]), ";"]) },
    {
      code: sequenceOf([
        "export default ",
        objectOf([["fetch", `${handler} => handle(request, context)`]]),
        ";",
      ]),
    },
  ];
}

/** `src/generated/lambda.ts`: the handlers of a function of AWS Lambda. */
export function lambdaModule(): FileStatements {
  return [
    importOf("@mcpwright/runtime/lambda", ["lambdaHandlers"]),
    importOf("./server.ts", ["server"]),
    { code: "export const { handler, streamingHandler } = lambdaHandlers(server);" },
  ];
}

/** `src/generated/vercel.ts`: a function of Vercel, which gets requests of the web's own type. */
export function vercelModule(): FileStatements {
  const settings = objectOf([
    ["keepsConnections", "true"],
    ["address", '(request) => request.headers.get("x-vercel-forwarded-for") ?? undefined'],
  ]);
  const handler = "(request: Request): Promise<Response> => handle(request, undefined)";
  return [
    importOf("@mcpwright/runtime/fetch", ["fetchHandler"]),
    importOf("./server.ts", ["server"]),
    { code: sequenceOf(["const handle = ", callOf("fetchHandler", ["server", settings]), ";"]) },
    { code: sequenceOf(["export default ", objectOf([["fetch", handler]]), ";"]) },
  ];
}

/** `src/generated/write-page.ts`, which `npm run page` runs. */
export function writePageModule(): FileStatements {
  return [
    importOf("@mcpwright/runtime/page", ["writePage"]),
    importOf("./server.ts", ["server"]),
    { code: "await writePage(server);" },
  ];
}

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
