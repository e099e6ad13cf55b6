import { StructureKind, type ImportDeclarationStructure } from "ts-morph";
import type { ServerModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { importOf } from "./structures.js";

/** `src/main.ts`: starts the declared transports. A project loads the code of no other. */
export function mainModule({ transports }: ServerModel): FileStatements {
  const network = networkParts(transports);
  const listenModule = hasTls(transports)
    ? importOf("./generated/runtime/http-tls.js", ["listenWithTls"])
    : importOf("./generated/runtime/http-listener.js", ["listen"]);
  const listen = hasTls(transports) ? "listen: listenWithTls" : "listen";
  const hasStdio = transports.some(({ type }) => type === "stdio");
  const hooks = ["root: projectRoot", "createServices", "closeServices"];
  if (hasStdio) hooks.push("serveStdio");
  if (network.length > 0) {
    hooks.push(`network: { ${[listen, ...network.map(({ hook }) => hook)].join(", ")} }`);
  }
  return [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: "./generated/runtime/console-to-log.js",
    },
    importOf("./context.js", ["closeServices", "createServices"]),
    ...(network.length > 0 ? [listenModule] : []),
    ...network.map(({ imported }) => imported),
    importOf("./generated/runtime/project-root.js", ["projectRoot"]),
    importOf("./generated/runtime/start.js", ["start"]),
    ...(hasStdio ? [importOf("./generated/runtime/stdio.js", ["serveStdio"])] : []),
    importOf("./generated/server.js", ["definition"]),
    `await start(definition, { ${hooks.join(", ")} });`,
  ];
}

/** Whether any transport is served over TLS. */
export function hasTls(transports: ServerModel["transports"]): boolean {
  return transports.some((transport) => transport.type === "http" && transport.tls !== undefined);
}

interface NetworkPart {
  readonly hook: string;
  readonly imported: ImportDeclarationStructure;
}

/** What serves each transport that is behind a listener. */
function networkParts(transports: ServerModel["transports"]): NetworkPart[] {
  return transports.flatMap((transport) => {
    if (transport.type !== "http") return [];
    const [module, name] =
      transport.sessions === "memory"
        ? ["http-sessions", "httpEndpointWithSessions"]
        : ["http", "httpEndpoint"];
    const imported = importOf(`./generated/runtime/${module}.js`, [name]);
    return [{ hook: `${transport.type}: ${name}`, imported }];
  });
}
