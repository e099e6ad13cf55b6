import { StructureKind } from "../../text/compiler.js";
import type { ServerModel, TransportModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { customNames } from "./custom-transport-files.js";
import { importOf } from "./structures.js";

/** `src/main.ts`: starts the declared transports. A project loads the code of no other. */
export function mainModule({ transports }: ServerModel): FileStatements {
  const parts = transports.map(partOf);
  const network = parts.filter(({ isNetwork }) => isNetwork);
  const listen: Part | undefined =
    network.length === 0
      ? undefined
      : hasTls(transports)
        ? part("http-tls", "listenWithTls", "listen: listenWithTls")
        : part("http-listener", "listen", "listen");
  const hooks = [
    ...["root: projectRoot", "createServices", "closeServices"],
    ...parts.filter(({ isNetwork }) => !isNetwork).map(({ hook }) => hook),
    ...(listen === undefined
      ? []
      : [`network: { ${[listen, ...network].map(({ hook }) => hook).join(", ")} }`]),
  ];
  const imports: (readonly [module: string, name: string])[] = [
    ["./context.js", "closeServices"],
    ["./context.js", "createServices"],
    ["./generated/runtime/project-root.js", "projectRoot"],
    ["./generated/runtime/start.js", "start"],
    ["./generated/server.js", "definition"],
    ...[...parts, ...(listen === undefined ? [] : [listen])].flatMap(({ imports }) => imports),
  ];
  return [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: "./generated/runtime/console-to-log.js",
    },
    ...[...new Set(imports.map(([module]) => module))].sort().map((module) =>
      importOf(
        module,
        imports.filter(([other]) => other === module).map(([, name]) => name),
      ),
    ),
    `await start(definition, { ${hooks.join(", ")} });`,
  ];
}

/** Whether any transport is served over TLS. */
export function hasTls(transports: ServerModel["transports"]): boolean {
  return transports.some((transport) => transport.type === "http" && transport.tls !== undefined);
}

/** What serves a transport, and how `start` is told of it. */
interface Part {
  readonly imports: readonly (readonly [module: string, name: string])[];
  readonly hook: string;
  readonly isNetwork: boolean;
}

function part(module: string, name: string, hook: string, isNetwork = true): Part {
  return { imports: [[`./generated/runtime/${module}.js`, name]], hook, isNetwork };
}

function partOf(transport: TransportModel): Part {
  switch (transport.type) {
    case "stdio":
      return part("stdio", "serveStdio", "serveStdio", false);
    case "http":
      return transport.sessions === "memory"
        ? part("http-sessions", "httpEndpointWithSessions", "http: httpEndpointWithSessions")
        : part("http", "httpEndpoint", "http: httpEndpoint");
    case "sse":
      return part("sse", "sseEndpoint", "sse: sseEndpoint");
    case "websocket":
      return part("websocket", "webSocketEndpoint", "websocket: webSocketEndpoint");
    case "custom": {
      const { identifier, fileName } = customNames(transport);
      const hook = `custom: serveCustom(${identifier})`;
      const { imports } = part("custom-transport", "serveCustom", hook);
      const own = [`./transports/${fileName}.js`, identifier] as const;
      return { imports: [...imports, own], hook, isNetwork: false };
    }
  }
}
