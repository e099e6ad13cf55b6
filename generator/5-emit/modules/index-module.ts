import { StructureKind } from "../../text/structure-kinds.js";
import type { ServerModel } from "../../model/server-model.js";
import { FEATURES } from "../features.js";
import type { FileStatement, FileStatements } from "../typescript-printer.js";
import { asksAnything } from "./asking.js";
import { hasNetwork } from "../../model/authentication.js";
import { databaseTypes } from "./types-module.js";
import { exportAllTypes, exportFrom, importTypes, typeAlias } from "./structures.js";

/** What handlers call upstreams with. */
function upstreamExports(): FileStatement[] {
  return [
    exportFrom("./runtime/upstreams/client.ts", ["Upstream", "UpstreamRequest"], true),
    exportFrom("./runtime/upstreams/answer.ts", ["UpstreamAnswer"], true),
    exportFrom("./runtime/upstreams/path.ts", ["path"]),
    exportFrom("./runtime/upstreams/styles.ts", ["styled"]),
  ];
}

/** The exports with which handlers ask other MCP servers. */
function remoteServerExports(): FileStatement[] {
  return [exportFrom("./runtime/remote-servers/remote-server.ts", ["RemoteServer"], true)];
}

/** What handlers ask databases with. */
function databaseExports(model: ServerModel): FileStatement[] {
  const types = ["QueryOptions", ...databaseTypes(model)].sort();
  return [
    exportFrom("./runtime/databases/databases.ts", types, true),
    exportFrom("./runtime/databases/answer.ts", ["DatabaseAnswer"], true),
  ];
}

/** What handlers run programs with. */
function programExports(): FileStatement[] {
  return [
    exportFrom("./runtime/programs/programs.ts", ["ProgramOptions", "Programs"], true),
    exportFrom("./runtime/programs/answer.ts", ["ProgramAnswer"], true),
  ];
}

/** What handlers read directories with. */
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
 * `src/generated/index.ts`: the one module that handlers import from. It must not load the tables:
 * they import the handlers, and a handler's own test loads the handler first.
 */
export function indexModule(model: ServerModel): FileStatements {
  const asks = asksAnything(model);
  const hasCustom = model.transports.some(({ type }) => type === "custom");
  return [
    importTypes("./runtime/server/create-server.ts", ["RunningServer"]),
    ...(hasCustom
      ? [
          importTypes("./runtime/connections/custom-transport.ts", [
            "CustomTransport as TransportOf",
          ]),
        ]
      : []),
    importTypes("./server.ts", ["Options"]),
    ...(hasCustom ? [importTypes("./types.ts", ["Env"])] : []),
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
    ...(asks
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
    exportAllTypes("./types.ts"),
    ...(hasCustom
      ? [typeAlias("CustomTransport", "TransportOf<Env>", "A transport of the project's own.")]
      : []),
    {
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
        "Makes the server without a transport, to call in process or to put behind a transport of your own.",
      ],
    },
  ];
}
