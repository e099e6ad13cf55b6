import { StructureKind } from "../../text/structure-kinds.js";
import { callOf, objectOf, sequenceOf } from "../../text/code.js";
import type { ServerModel, TransportModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { customNames } from "./custom-transport-files.js";
import type { Entry } from "./item-settings.js";
import { importAll, importOf, lateImport } from "./structures.js";

/**
 * `src/main.ts`: starts the declared transports. A project has the code of no other, and loads that of
 * those that it serves: over stdio, which clients start anew each time, no HTTP.
 */
export function mainModule(model: ServerModel): FileStatements {
  return startModule(model, { source: "./", context: "context", namespaces: [], imports: [] });
}

/** `test/generated/server.ts`: the same with the services of the tests, so that none is opened. */
export function testServerModule(model: ServerModel): FileStatements {
  const source = "../../src/";
  const testing = `${source}generated/runtime/testing/test-context.ts`;
  return startModule(model, {
    source,
    context: "withTestServices(context, testServices)",
    namespaces: [["../services.ts", "testServices"]],
    imports: [[testing, "withTestServices"]],
  });
}

type Import = readonly [module: string, name: string];

/** What differs between modules that start a server. */
interface StartModule {
  /** The folder `src/` from the module. */
  readonly source: string;
  /** What `src/context.ts` exports, as the server is to get it. */
  readonly context: string;
  /** What the module imports as a whole, beside `src/context.ts`. */
  readonly namespaces: readonly Import[];
  readonly imports: readonly Import[];
}

function startModule({ transports }: ServerModel, module: StartModule): FileStatements {
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
    const endpoints = objectOf([listen, ...network].map(({ hook }) => hook));
    hooks.push(["network", callOf("serveNetwork", [endpoints])]);
  }
  const imports: Import[] = [
    ...module.imports,
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

/** What serves a transport, and how `start` is told of it. */
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
