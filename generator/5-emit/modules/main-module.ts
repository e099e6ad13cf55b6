import { StructureKind } from "../../text/structure-kinds.js";
import { callOf, objectOf, sequenceOf } from "../../text/code.js";
import type { ServerModel, TransportModel } from "../../model/server-model.js";
import { writeString } from "../../text/literal.js";
import { FEATURES } from "../features.js";
import { clientUrl, tokenVariable } from "../project/client-entries.js";
import { serverVariables } from "../project/env-example.js";
import { commandName, httpTransport } from "../project/package-json.js";
import type { FileStatements } from "../typescript-printer.js";
import { customNames } from "./custom-transport-files.js";
import type { Entry } from "./item-settings.js";
import { importAll, importOf, lateImport } from "./structures.js";

/**
 * `src/main.ts`: starts the declared transports. It imports the code of each only when it serves it: a server
 * on stdio, which clients start anew each time, loads nothing of HTTP.
 */
export function mainModule(model: ServerModel): FileStatements {
  const scaled: Entry[] = FEATURES.scale(model)
    ? [["joinReplicas", lateImport("./generated/runtime/scale/replicas.ts", "joinReplicas")]]
    : [];
  const own = { source: "./", context: "context", namespaces: [], imports: [] };
  return startModule(model, { ...own, hooks: scaled });
}

/** `test/generated/server.ts`: starts the same server alone, with the services of the tests. */
export function testServerModule(model: ServerModel): FileStatements {
  const source = "../../src/";
  const testing = `${source}generated/runtime/testing/test-context.ts`;
  return startModule(model, {
    source,
    context: "withTestServices(context, testServices)",
    namespaces: [["../services.ts", "testServices"]],
    imports: [[testing, "withTestServices"]],
    hooks: [],
  });
}

/** `src/generated/write-page.ts`: what `npm run page` runs. */
export function writePageModule(): FileStatements {
  return [
    importOf("./runtime/page/write-page.ts", ["writePage"]),
    importOf("./runtime/start/project-root.ts", ["projectRoot"]),
    importOf("./server.ts", ["definition"]),
    { code: "await writePage(definition, projectRoot);" },
  ];
}

/** `src/generated/install-client.ts`: what `npm run install:client` runs. */
export function installClientModule(model: ServerModel): FileStatements {
  const http = httpTransport(model);
  const token = tokenVariable(model);
  const isStarted = FEATURES.stdio(model);
  const server = objectOf([
    ["name", writeString(commandName(model))],
    ["isStarted", String(isStarted)],
    ["hasVariables", String(serverVariables(model).length > 0)],
    ...(http === undefined || isStarted
      ? []
      : [["url", writeString(clientUrl(model, http))] satisfies Entry]),
    ...(token === undefined ? [] : [["token", writeString(token)] satisfies Entry]),
  ]);
  const call = callOf("await installClient", [server, "projectRoot", "process.argv.slice(2)"]);
  return [
    importOf("./runtime/clients/install-client.ts", ["installClient"]),
    importOf("./runtime/start/project-root.ts", ["projectRoot"]),
    { code: sequenceOf(["process.exitCode = ", call, ";"]) },
  ];
}

type Import = readonly [module: string, name: string];

/** The parts in which modules that start a server differ. */
interface StartModule {
  /** The folder `src/` from the module. */
  readonly source: string;
  /** The expression for the exports of `src/context.ts`. */
  readonly context: string;
  /** What the module imports as a whole, beside `src/context.ts`. */
  readonly namespaces: readonly Import[];
  readonly imports: readonly Import[];
  /** Further arguments of `serveNetwork`, beside the transports. */
  readonly hooks: readonly Entry[];
}

function startModule(model: ServerModel, module: StartModule): FileStatements {
  const { transports } = model;
  const { source } = module;
  const parts = transports.map((transport) => partOf(transport, source));
  const network = parts.filter(({ isNetwork }) => isNetwork);
  const listen: Part | undefined =
    network.length === 0
      ? undefined
      : hasTls(transports)
        ? lazily(source, "listen", "http/tls", "listenWithTls")
        : lazily(source, "listen", "http/listener", "listen");
  const hooks: Entry[] = [
    ["root", "projectRoot"],
    ["context", module.context],
    ...parts.filter(({ isNetwork }) => !isNetwork).map(({ hook }) => hook),
  ];
  if (listen !== undefined) {
    const keys: Entry[] = FEATURES.apiKeys(model) ? [["newKey", "newKey"]] : [];
    const endpoints = objectOf([
      ...[listen, ...network].map(({ hook }) => hook),
      ...keys,
      ...module.hooks,
    ]);
    hooks.push(["network", callOf("serveNetwork", [endpoints])]);
  }
  const imports: Import[] = [
    ...module.imports,
    ...(FEATURES.apiKeys(model)
      ? [[`${source}generated/runtime/access/new-key.ts`, "newKey"] as const]
      : []),
    ...(network.length === 0
      ? []
      : [[`${source}generated/runtime/http/start-network.ts`, "serveNetwork"] as const]),
    [`${source}generated/runtime/start/project-root.ts`, "projectRoot"],
    [`${source}generated/runtime/start/start.ts`, "start"],
    [`${source}generated/server.ts`, "definition"],
    ...parts.flatMap(({ imports }) => imports),
  ];
  return [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: `${source}generated/runtime/observe/console-to-log.ts`,
    },
    importAll(`${source}context.ts`, "context"),
    ...module.namespaces.map(([path, name]) => importAll(path, name)),
    ...[...new Set(imports.map(([path]) => path))].sort().map((path) =>
      importOf(
        path,
        imports.filter(([other]) => other === path).map(([, name]) => name),
      ),
    ),
    { code: sequenceOf([callOf("await start", ["definition", objectOf(hooks)]), ";"]) },
  ];
}

/** Whether any transport is served over TLS. */
export function hasTls(transports: ServerModel["transports"]): boolean {
  return transports.some((transport) => transport.type === "http" && transport.tls !== undefined);
}

/** The code that serves a transport, and the member by which `start` gets it. */
interface Part {
  readonly imports: readonly Import[];
  readonly hook: Entry;
  readonly isNetwork: boolean;
}

/** A part that is loaded when its transport is served. */
function lazily(
  source: string,
  hook: string,
  module: string,
  name: string,
  isNetwork = true,
): Part {
  const load = lateImport(`${source}generated/runtime/${module}.ts`, name);
  return { imports: [], hook: [hook, load], isNetwork };
}

function partOf(transport: TransportModel, source: string): Part {
  switch (transport.type) {
    case "stdio":
      return lazily(source, "serveStdio", "stdio/stdio", "serveStdio", false);
    case "http":
      return transport.sessions === "memory"
        ? lazily(source, "http", "http/sessions", "httpEndpointWithSessions")
        : lazily(source, "http", "http/endpoint", "httpEndpoint");
    case "sse":
      return lazily(source, "sse", "sse/endpoint", "sseEndpoint");
    case "websocket":
      return lazily(source, "websocket", "websocket/endpoint", "webSocketEndpoint");
    case "custom": {
      const { identifier, fileName } = customNames(transport);
      const imports = [
        [`${source}generated/runtime/connections/custom-transport.ts`, "serveCustom"],
        [`${source}transports/${fileName}.ts`, identifier],
      ] as const;
      return { imports, hook: ["custom", `serveCustom(${identifier})`], isNetwork: false };
    }
  }
}
