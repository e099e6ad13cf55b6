import { StructureKind } from "../../text/structure-kinds.js";
import type { ServerModel } from "../../model/server-model.js";
import type { FileStatement, FileStatements } from "../typescript-printer.js";
import { actsForCallers } from "../model-facts.js";
import { asksAnything } from "./asking.js";
import { databaseTypes, typeStatements, type TypeNames } from "./type-statements.js";
import { constant, exportAll, exportFrom, importOf, importTypes, typeAlias } from "./structures.js";

/** Exports for handlers that send requests to upstreams. */
function upstreamExports(): FileStatement[] {
  return [
    exportFrom("@mcpwright/runtime/upstreams", ["Upstream", "UpstreamRequest"], true),
    exportFrom("@mcpwright/runtime/upstreams", ["UpstreamAnswer"], true),
    exportFrom("@mcpwright/runtime/upstreams", ["path"]),
    exportFrom("@mcpwright/runtime/upstreams", ["styled"]),
  ];
}

/** Exports for handlers that call other MCP servers. */
function remoteServerExports(): FileStatement[] {
  return [exportFrom("@mcpwright/runtime/servers", ["RemoteServer"], true)];
}

/** Exports for handlers that query databases. */
function databaseExports(model: ServerModel): FileStatement[] {
  const types = ["QueryOptions", ...databaseTypes(model)].sort();
  return [
    exportFrom("@mcpwright/runtime/databases", types, true),
    exportFrom("@mcpwright/runtime/databases", ["DatabaseAnswer"], true),
  ];
}

/**
 * `src/generated/index.ts`: the only module that handlers import from, with the types of the manifest. It must not load
 * the lists of items at once, since these import the handlers, and a handler's own test loads the handler first.
 *
 * @param names names of the types that modules of items export
 */
export function indexModule(model: ServerModel, names: TypeNames): FileStatements {
  const types = typeStatements(model, names);
  const hasCustom = model.transports.some(({ type }) => type === "custom");
  return [
    ...imports(hasCustom),
    ...commonExports(model),
    ...partnerExports(model),
    ...types,
    ...(hasCustom
      ? [typeAlias("CustomTransport", "TransportOf<Env>", "A transport of the project's own.")]
      : []),
    PROJECT_ROOT,
    CREATE_SERVER,
  ];
}

function imports(hasCustomTransport: boolean): FileStatement[] {
  const transport = "@mcpwright/runtime/custom";
  return [
    importOf("@mcpwright/runtime", ["createServer as createRunningServer", "projectRootOf"]),
    importTypes("@mcpwright/runtime", ["InProcessOptions", "RunningServer"]),
    ...(hasCustomTransport ? [importTypes(transport, ["CustomTransport as TransportOf"])] : []),
  ];
}

/** Exports that all handlers may use. */
function commonExports(model: ServerModel): FileStatement[] {
  return [
    exportAll("@mcpwright/runtime"),
    ...(asksAnything(model)
      ? [
          exportFrom("@mcpwright/runtime/asking", ["isSuspend"]),
          exportFrom("@mcpwright/runtime/asking", ["InputRefused"]),
        ]
      : []),
  ];
}

/** Exports for handlers that use upstreams, databases and other MCP servers. */
function partnerExports(model: ServerModel): FileStatement[] {
  return [
    ...((model.upstreams ?? []).length > 0 ? upstreamExports() : []),
    ...(actsForCallers(model) ? [exportFrom("@mcpwright/runtime/auth", ["callerOf"])] : []),
    ...((model.servers ?? []).length > 0 ? remoteServerExports() : []),
    ...((model.databases ?? []).length > 0 ? databaseExports(model) : []),
  ];
}

const PROJECT_ROOT: FileStatement = constant({
  name: "projectRoot",
  type: "string",
  value: "projectRootOf(import.meta.url)",
  docs: "The project's folder: the nearest one above this module that has a package.json.",
});

const CREATE_SERVER: FileStatement = {
  kind: StructureKind.Function,
  isExported: true,
  isAsync: true,
  name: "createServer",
  parameters: [{ name: "options", type: "InProcessOptions<Env, Services>", initializer: "{}" }],
  returnType: "Promise<RunningServer>",
  statements: [
    'const { server } = await import("./server.ts");',
    "return createRunningServer(server, options);",
  ],
  docs: [
    "Makes the server without a transport, for calls in process or for a transport of your own.",
  ],
};
