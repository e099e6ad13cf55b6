import { StructureKind } from "../../text/structure-kinds.js";
import { callOf, objectOf, sequenceOf } from "../../text/code.js";
import type { ServerModel } from "../../model/server-model.js";
import type { TransportModel } from "../../model/transports.js";
import { writeString } from "../../text/literal.js";
import { FEATURES } from "../features.js";
import { clientUrl, tokenVariable } from "../project/client-entries.js";
import { serverVariables } from "../project/env-example.js";
import { commandName, httpTransport } from "../project/package-json.js";
import type { FileStatement, FileStatements } from "../typescript-printer.js";
import { customTransportNames } from "./custom-transport-names.js";
import type { Entry } from "./item-settings.js";
import { importNamespace, importOf, lateImport } from "./structures.js";

/**
 * `src/main.ts`: starts the declared transports. The code of a transport is imported only if that transport is
 * served, so that a server on stdio, which each client starts anew, loads no code for HTTP.
 */
export function mainModule(model: ServerModel): FileStatements {
  const hooks: Entry[] = FEATURES.scale(model)
    ? [["joinReplicas", lateImport("./generated/runtime/scale/replicas.ts", "joinReplicas")]]
    : [];
  return startModule(model, {
    source: "./",
    context: "context",
    namespaces: [],
    imports: [],
    networkHooks: hooks,
  });
}

/** `test/generated/server.ts`: starts the same server with the services of the tests, and without replicas. */
export function testServerModule(model: ServerModel): FileStatements {
  const source = "../../src/";
  const testing = `${source}generated/runtime/testing/test-context.ts`;
  return startModule(model, {
    source,
    context: "withTestServices(context, testServices)",
    namespaces: [["../services.ts", "testServices"]],
    imports: [[testing, "withTestServices"]],
    networkHooks: [],
  });
}

/** `src/generated/write-page.ts`, which `npm run page` runs. */
export function writePageModule(): FileStatements {
  return [
    importOf("./runtime/page/write-page.ts", ["writePage"]),
    importOf("./runtime/start/project-root.ts", ["projectRoot"]),
    importOf("./server.ts", ["definition"]),
    { code: "await writePage(definition, projectRoot);" },
  ];
}

/** `src/generated/install-client.ts`, which `npm run install:client` runs. */
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
  /** Relative path from the module to `src/`. */
  readonly source: string;
  /** The expression for the exports of `src/context.ts`. */
  readonly context: string;
  /** Namespace imports in addition to `src/context.ts`. */
  readonly namespaces: readonly Import[];
  readonly imports: readonly Import[];
  /** Members of the argument of `serveNetwork`, in addition to the transports. */
  readonly networkHooks: readonly Entry[];
}

function startModule(model: ServerModel, module: StartModule): FileStatements {
  const { source } = module;
  const parts = model.transports.map((transport) => partOf(transport, source));
  return [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: `${source}generated/runtime/observe/console-to-log.ts`,
    },
    importNamespace(`${source}context.ts`, "context"),
    ...module.namespaces.map(([path, name]) => importNamespace(path, name)),
    ...importsOf(startImports(model, module, parts)),
    {
      code: sequenceOf([
        callOf("await start", ["definition", objectOf(startHooks(model, module, parts))]),
        ";",
      ]),
    },
  ];
}

/** The members of the argument of `start`. */
function startHooks(model: ServerModel, module: StartModule, parts: readonly Part[]): Entry[] {
  const network = parts.filter(({ isNetwork }) => isNetwork).map(({ hook }) => hook);
  const listen = hasTls(model.transports)
    ? lazily(module.source, "listen", "http/tls", "listenWithTls")
    : lazily(module.source, "listen", "http/listener", "listen");
  const keys: Entry[] = FEATURES.apiKeys(model) ? [["newKey", "newKey"]] : [];
  const endpoints = objectOf([listen.hook, ...network, ...keys, ...module.networkHooks]);
  return [
    ["root", "projectRoot"],
    ["context", module.context],
    ...parts.filter(({ isNetwork }) => !isNetwork).map(({ hook }) => hook),
    ...(network.length === 0
      ? []
      : [["network", callOf("serveNetwork", [endpoints])] satisfies Entry]),
  ];
}

function startImports(model: ServerModel, module: StartModule, parts: readonly Part[]): Import[] {
  const { source } = module;
  const hasNetworkParts = parts.some(({ isNetwork }) => isNetwork);
  return [
    ...module.imports,
    ...(FEATURES.apiKeys(model)
      ? [[`${source}generated/runtime/access/new-key.ts`, "newKey"] as const]
      : []),
    ...(hasNetworkParts
      ? [[`${source}generated/runtime/http/start-network.ts`, "serveNetwork"] as const]
      : []),
    [`${source}generated/runtime/start/project-root.ts`, "projectRoot"],
    [`${source}generated/runtime/start/start.ts`, "start"],
    [`${source}generated/server.ts`, "definition"],
    ...parts.flatMap(({ imports }) => imports),
  ];
}

/** One import declaration for each module, sorted by module. */
function importsOf(imports: readonly Import[]): FileStatement[] {
  const modules = [...new Set(imports.map(([module]) => module))].sort();
  return modules.map((module) =>
    importOf(
      module,
      imports.filter(([other]) => other === module).map(([, name]) => name),
    ),
  );
}

/** True if any transport uses TLS. */
export function hasTls(transports: ServerModel["transports"]): boolean {
  return transports.some((transport) => transport.type === "http" && transport.tls !== undefined);
}

/** The code that serves a transport: its imports, and its member in the argument of `start` or `serveNetwork`. */
interface Part {
  readonly imports: readonly Import[];
  readonly hook: Entry;
  readonly isNetwork: boolean;
}

/** A part that is imported when its transport is served. */
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
      const { identifier, path } = customTransportNames(transport.name);
      const imports = [
        [`${source}generated/runtime/connections/custom-transport.ts`, "serveCustom"],
        [`${source}${path.slice("src/".length)}`, identifier],
      ] as const;
      return { imports, hook: ["custom", `serveCustom(${identifier})`], isNetwork: false };
    }
  }
}
