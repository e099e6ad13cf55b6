import { StructureKind } from "../../text/structure-kinds.js";
import type { ServerModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { asksAnything } from "./asking.js";
import { hasNetwork } from "./authentication.js";
import { exportAllTypes, exportFrom, importTypes, typeAlias } from "./structures.js";

/**
 * `src/generated/index.ts`: the one module that handlers import from. It must not load the tables:
 * they import the handlers, and a handler's own test loads the handler first.
 */
export function indexModule(model: ServerModel): FileStatements {
  const asks = asksAnything(model);
  const hasCustom = model.transports.some(({ type }) => type === "custom");
  return [
    importTypes("./runtime/server/create-server.js", ["RunningServer"]),
    ...(hasCustom
      ? [
          importTypes("./runtime/connections/custom-transport.js", [
            "CustomTransport as TransportOf",
          ]),
        ]
      : []),
    importTypes("./server.js", ["Options"]),
    ...(hasCustom ? [importTypes("./types.js", ["Env"])] : []),
    ...(hasNetwork(model)
      ? [exportFrom("./runtime/authentication/authenticate.js", ["ProtectedResource"], true)]
      : []),
    exportFrom("./runtime/authentication/authentication.js", ["Authentication"], true),
    exportFrom("./runtime/engine/content.js", [
      "audio",
      "embeddedBlob",
      "embeddedText",
      "image",
      "resourceLink",
      "text",
    ]),
    exportFrom("./runtime/context/context.js", ["Era", "LogData", "Logger"], true),
    ...(asks ? [exportFrom("./runtime/asking/run.js", ["isSuspend"])] : []),
    exportFrom("./runtime/engine/errors.js", [
      ...(asks ? ["InputRefused"] : []),
      "NotFoundError",
      "NotImplementedError",
      "ToolError",
    ]),
    exportFrom("./runtime/start/project-root.js", ["projectRoot"]),
    exportFrom("./runtime/tools/result.js", ["result"]),
    exportFrom("./runtime/tools/result.js", ["ToolResult"], true),
    exportAllTypes("./types.js"),
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
        'const server = await import("./server.js");',
        "return server.createServer(options);",
      ],
      docs: [
        "Makes the server without a transport, to call in process or to put behind a transport of your own.",
      ],
    },
  ];
}
