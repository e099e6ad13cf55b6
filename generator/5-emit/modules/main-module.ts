import { StructureKind } from "ts-morph";
import type { ServerModel } from "../../model/server-model.js";
import type { FileStatements } from "../typescript-printer.js";
import { importOf } from "./structures.js";

/** `src/main.ts`: starts the declared transports. A project without HTTP does not load its code. */
export function mainModule({ transports }: ServerModel): FileStatements {
  const hasHttp = transports.some((transport) => transport.type === "http");
  const hooks = ["root: projectRoot", "createServices", "closeServices"];
  if (hasHttp) hooks.push("serveHttp");
  return [
    {
      kind: StructureKind.ImportDeclaration,
      moduleSpecifier: "./generated/runtime/console-to-log.js",
    },
    importOf("./context.js", ["closeServices", "createServices"]),
    ...(hasHttp ? [importOf("./generated/runtime/http.js", ["serveHttp"])] : []),
    importOf("./generated/runtime/project-root.js", ["projectRoot"]),
    importOf("./generated/runtime/start.js", ["start"]),
    importOf("./generated/server.js", ["definition"]),
    `await start(definition, { ${hooks.join(", ")} });`,
  ];
}
