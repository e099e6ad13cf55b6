import { StructureKind } from "../../text/structure-kinds.js";
import { callOf, objectOf, sequenceOf } from "../../text/code.js";
import type { ServerModel, TransportModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { customNames } from "./custom-transport-files.js";
import type { Entry } from "./item-settings.js";
import { importOf, lateImport } from "./structures.js";

/**
 * `src/main.ts`: starts the declared transports. A project has the code of no other, and loads that of
 * those that it serves: over stdio, which clients start anew each time, no HTTP.
 */
export function mainModule({ transports }: ServerModel): FileStatements {
  const parts = transports.map(partOf);
  const network = parts.filter(({ isNetwork }) => isNetwork);
  const listen: Part | undefined =
    network.length === 0
      ? undefined
      : hasTls(transports)
        ? lazily("listen", "http/tls", "listenWithTls")
        : lazily("listen", "http/listener", "listen");
  const hooks: Entry[] = [
    ["root", "projectRoot"],
    ["context", "context"],
    ...parts.filter(({ isNetwork }) => !isNetwork).map(({ hook }) => hook),
  ];
  if (listen !== undefined) {
    const endpoints = objectOf([listen, ...network].map(({ hook }) => hook));
    hooks.push(["network", callOf("serveNetwork", [endpoints])]);
  }
  const imports: (readonly [module: string, name: string])[] = [
    ...(network.length === 0
      ? []
      : [["./generated/runtime/http/start-network.ts", "serveNetwork"] as const]),
    ["./generated/runtime/start/project-root.ts", "projectRoot"],
    ["./generated/runtime/start/start.ts", "start"],
    ["./generated/server.ts", "definition"],
    ...parts.flatMap(({ imports }) => imports),
  ];
  return [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: "./generated/runtime/observe/console-to-log.ts",
    },
    {
      kind: StructureKind.ImportDeclaration,
      namespaceImport: "context",
      moduleSpecifier: "./context.ts",
    },
    ...[...new Set(imports.map(([module]) => module))].sort().map((module) =>
      importOf(
        module,
        imports.filter(([other]) => other === module).map(([, name]) => name),
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
  readonly imports: readonly (readonly [module: string, name: string])[];
  readonly hook: Entry;
  readonly isNetwork: boolean;
}

/** A part that is loaded when its transport is served. */
function lazily(hook: string, module: string, name: string, isNetwork = true): Part {
  const load = lateImport(`./generated/runtime/${module}.ts`, name);
  return { imports: [], hook: [hook, load], isNetwork };
}

function partOf(transport: TransportModel): Part {
  switch (transport.type) {
    case "stdio":
      return lazily("serveStdio", "stdio/stdio", "serveStdio", false);
    case "http":
      return transport.sessions === "memory"
        ? lazily("http", "http/sessions", "httpEndpointWithSessions")
        : lazily("http", "http/endpoint", "httpEndpoint");
    case "sse":
      return lazily("sse", "sse/endpoint", "sseEndpoint");
    case "websocket":
      return lazily("websocket", "websocket/endpoint", "webSocketEndpoint");
    case "custom": {
      const { identifier, fileName } = customNames(transport);
      const imports = [
        ["./generated/runtime/connections/custom-transport.ts", "serveCustom"],
        [`./transports/${fileName}.ts`, identifier],
      ] as const;
      return { imports, hook: ["custom", `serveCustom(${identifier})`], isNetwork: false };
    }
  }
}
