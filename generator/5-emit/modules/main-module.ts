import { StructureKind } from "../../text/structure-kinds.js";
import { callOf, listOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import type { ServerModel } from "../../model/server-model.js";
import type { CustomTransportModel, TransportModel } from "../../model/transports.js";
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
  const groups = transportGroups(model, module);
  return [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: `${source}generated/runtime/observe/console-to-log.ts`,
    },
    importNamespace(`${source}context.ts`, "context"),
    ...module.namespaces.map(([path, name]) => importNamespace(path, name)),
    ...importsOf([
      ...module.imports,
      [`${source}generated/runtime/start/project-root.ts`, "projectRoot"],
      [`${source}generated/runtime/start/start.ts`, "start"],
      [`${source}generated/server.ts`, "definition"],
      ...groups.flatMap(({ imports }) => imports),
    ]),
    { code: sequenceOf([callOf("await start", ["definition", startHooks(module, groups)]), ";"]) },
  ];
}

/** The second argument of `start`. */
function startHooks({ context }: StartModule, groups: readonly TransportGroupCode[]): Code {
  return objectOf([
    ["root", "projectRoot"],
    ["context", context],
    ["transports", listOf(groups.map(({ code }) => code))],
  ]);
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

/** Transports that are started together: the expression for them, and the imports that it needs. */
interface TransportGroupCode {
  readonly imports: readonly Import[];
  readonly code: Code;
}

/** The transports in the order of their start. stdio comes last, so that no client is served before all others listen. */
function transportGroups(model: ServerModel, module: StartModule): TransportGroupCode[] {
  const { transports } = model;
  return [
    ...(FEATURES.network(model) ? [networkGroup(model, module)] : []),
    ...transports.flatMap((transport) =>
      transport.type === "custom" ? customGroup(transport, module) : [],
    ),
    ...(FEATURES.stdio(model) ? [stdioGroup(module)] : []),
  ];
}

/** The transports that listen on the network. */
function networkGroup(
  model: ServerModel,
  { source, networkHooks }: StartModule,
): TransportGroupCode {
  const listen = hasTls(model.transports)
    ? lazily(source, "listen", "http/tls", "listenWithTls")
    : lazily(source, "listen", "http/listener", "listen");
  const endpoints = model.transports
    .map((transport) => endpointOf(transport, source))
    .filter((endpoint) => endpoint !== undefined);
  const hasKeys = FEATURES.apiKeys(model);
  const keys: Entry[] = hasKeys ? [["newKey", "newKey"]] : [];
  const runtime = `${source}generated/runtime/`;
  return {
    imports: [
      ...(hasKeys ? [[`${runtime}access/new-key.ts`, "newKey"] as const] : []),
      [`${runtime}http/start-network.ts`, "serveNetwork"],
    ],
    code: callOf("serveNetwork", [objectOf([listen, ...endpoints, ...keys, ...networkHooks])]),
  };
}

function customGroup({ name }: CustomTransportModel, { source }: StartModule): TransportGroupCode {
  const { identifier, path } = customTransportNames(name);
  return {
    imports: [
      [`${source}generated/runtime/connections/custom-transport.ts`, "serveCustom"],
      [`${source}${path.slice("src/".length)}`, identifier],
    ],
    code: callOf("serveCustom", [identifier]),
  };
}

function stdioGroup({ source }: StartModule): TransportGroupCode {
  const module = `${source}generated/runtime/stdio/start-stdio.ts`;
  return { imports: [[module, "serveStdio"]], code: "serveStdio()" };
}

/** A member whose value is imported when its transport is served. */
function lazily(source: string, member: string, module: string, name: string): Entry {
  return [member, lateImport(`${source}generated/runtime/${module}.ts`, name)];
}

/** The code that serves a transport on the network, as a member of the argument of `serveNetwork`. */
function endpointOf(transport: TransportModel, source: string): Entry | undefined {
  switch (transport.type) {
    case "http":
      return transport.sessions === "memory"
        ? lazily(source, "http", "http/sessions", "httpEndpointWithSessions")
        : lazily(source, "http", "http/endpoint", "httpEndpoint");
    case "sse":
      return lazily(source, "sse", "sse/endpoint", "sseEndpoint");
    case "websocket":
      return lazily(source, "websocket", "websocket/endpoint", "webSocketEndpoint");
    case "stdio":
    case "custom":
      return undefined;
  }
}
