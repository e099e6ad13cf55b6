import { StructureKind } from "../../text/structure-kinds.js";
import type { ServerModel } from "../../model/server-model.js";
import { FEATURES } from "../features.js";
import type { FileStatement, FileStatements } from "../typescript-printer.js";
import { asksAnything } from "./asking.js";
import { hasNetwork } from "../../model/authentication.js";
import { databaseTypes } from "./types-module.js";
import { exportAllTypes, exportFrom, importTypes, typeAlias } from "./structures.js";

/** Exports for handlers that send requests to upstreams. */
function upstreamExports(): FileStatement[] {
  return [
    exportFrom("./runtime/upstreams/client.ts", ["Upstream", "UpstreamRequest"], true),
    exportFrom("./runtime/upstreams/answer.ts", ["UpstreamAnswer"], true),
    exportFrom("./runtime/upstreams/path.ts", ["path"]),
    exportFrom("./runtime/upstreams/styles.ts", ["styled"]),
  ];
}

/** Exports for handlers that call other MCP servers. */
function remoteServerExports(): FileStatement[] {
  return [exportFrom("./runtime/remote-servers/remote-server.ts", ["RemoteServer"], true)];
}

/** Exports for handlers that query databases. */
function databaseExports(model: ServerModel): FileStatement[] {
  const types = ["QueryOptions", ...databaseTypes(model)].sort();
  return [
    exportFrom("./runtime/databases/databases.ts", types, true),
    exportFrom("./runtime/databases/answer.ts", ["DatabaseAnswer"], true),
  ];
}

/** Exports for handlers that run programs. */
function programExports(): FileStatement[] {
  return [
    exportFrom("./runtime/programs/programs.ts", ["ProgramOptions", "Programs"], true),
    exportFrom("./runtime/programs/answer.ts", ["ProgramAnswer"], true),
  ];
}

/** Exports for handlers that read directories. */
function directoryExports(): FileStatement[] {
  return [
    exportFrom("./runtime/directories/directories.ts", ["Directories"], true),
    exportFrom(
      "./runtime/directories/directory.ts",
      ["Directory", "DirectoryOptions", "ListedFile"],
      true,
    ),
  ];
}

/**
 * `src/generated/index.ts`: the only module that handlers import from. It must not load the lists of items at
 * once, since these import the handlers, and a handler's own test loads the handler first.
 */
export function indexModule(model: ServerModel): FileStatements {
  const hasCustom = model.transports.some(({ type }) => type === "custom");
  return [
    ...imports(hasCustom),
    ...commonExports(model),
    ...partnerExports(model),
    exportAllTypes("./types.ts"),
    ...(hasCustom
      ? [typeAlias("CustomTransport", "TransportOf<Env>", "A transport of the project's own.")]
      : []),
    CREATE_SERVER,
  ];
}

function imports(hasCustomTransport: boolean): FileStatement[] {
  const transport = "./runtime/connections/custom-transport.ts";
  return [
    importTypes("./runtime/server/create-server.ts", ["RunningServer"]),
    ...(hasCustomTransport ? [importTypes(transport, ["CustomTransport as TransportOf"])] : []),
    importTypes("./server.ts", ["Options"]),
    ...(hasCustomTransport ? [importTypes("./types.ts", ["Env"])] : []),
  ];
}

/** Exports that handlers of most servers use. */
function commonExports(model: ServerModel): FileStatement[] {
  return [
    ...(hasNetwork(model)
      ? [exportFrom("./runtime/authentication/authenticate.ts", ["ProtectedResource"], true)]
      : []),
    ...(FEATURES.callers(model)
      ? [exportFrom("./runtime/authentication/authentication.ts", ["Authentication"], true)]
      : []),
    exportFrom("./runtime/engine/content.ts", [
      "audio",
      "embeddedBlob",
      "embeddedText",
      "image",
      "resourceLink",
      "text",
    ]),
    exportFrom("./runtime/context/context.ts", ["Era"], true),
    exportFrom("./runtime/observe/log.ts", ["LogData", "Logger"], true),
    ...(asksAnything(model)
      ? [
          exportFrom("./runtime/asking/run.ts", ["isSuspend"]),
          exportFrom("./runtime/asking/input-refused.ts", ["InputRefused"]),
        ]
      : []),
    exportFrom("./runtime/engine/errors.ts", ["NotImplementedError", "ToolError"]),
    ...(FEATURES.resources(model)
      ? [exportFrom("./runtime/resources/not-found.ts", ["NotFoundError"])]
      : []),
    exportFrom("./runtime/start/project-root.ts", ["projectRoot"]),
    exportFrom("./runtime/tools/result.ts", ["result", "type ToolResult"]),
  ];
}

/** Exports for handlers that use upstreams, databases and other partners. */
function partnerExports(model: ServerModel): FileStatement[] {
  return [
    ...(FEATURES.foundInstances(model)
      ? [exportFrom("./runtime/resources/found-instances.ts", ["instancesOf"])]
      : []),
    ...(FEATURES.upstreams(model) ? upstreamExports() : []),
    ...(FEATURES.remoteServers(model) ? remoteServerExports() : []),
    ...(FEATURES.databases(model) ? databaseExports(model) : []),
    ...(FEATURES.programs(model) ? programExports() : []),
    ...(FEATURES.directories(model) ? directoryExports() : []),
    ...(FEATURES.textValues(model)
      ? [exportFrom("./runtime/backends/text-of.ts", ["textOf"])]
      : []),
  ];
}

const CREATE_SERVER: FileStatement = {
  kind: StructureKind.Function,
  isExported: true,
  isAsync: true,
  name: "createServer",
  parameters: [{ name: "options", type: "Options", initializer: "{}" }],
  returnType: "Promise<RunningServer>",
  statements: [
    'const server = await import("./server.ts");',
    "return server.createServer(options);",
  ],
  docs: [
    "Makes the server without a transport, for calls in process or for a transport of your own.",
  ],
};
