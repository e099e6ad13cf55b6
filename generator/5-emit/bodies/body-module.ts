import type { BodyModel } from "../../model/bodies.js";
import { callOf, functionOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { HANDLER_TYPES, handlerModule } from "../modules/handler-files.js";
import { constant, importWithType } from "../modules/structures.js";
import type { FileStatements } from "../typescript-printer.js";
import type { BodyCode } from "./body-code.js";
import type { BodilyItem, BodyItem } from "./body-items.js";
import { directoryCode } from "./directory.js";
import { execCode } from "./exec.js";
import { httpCode } from "./http.js";
import { mcpCode } from "./mcp.js";
import { sqlCode } from "./sql.js";

/** Path of the module of an item's body without extension, from `src/generated/`. */
export function bodyModulePath(item: BodyItem): string {
  return `bodies/${handlerModule(item)}`;
}

function codeOf(item: BodilyItem, body: BodyModel): BodyCode {
  switch (body.kind) {
    case "http":
      return httpCode(item, body);
    case "sql":
      return sqlCode(item, body);
    case "exec":
      return execCode(item, body);
    case "directory":
      return directoryCode(item, body);
    case "mcp":
      return mcpCode(item, body);
  }
}

/**
 * A module with the code of an item's body. Once the manifest has no body for the item, the code is a
 * person's.
 * @param index The specifier, from this module, of the module that handlers import from.
 */
export function bodyModule(item: BodilyItem, body: BodyModel, index: string): FileStatements {
  const { imports, docs, parameter, statements } = codeOf(item, body);
  const type = HANDLER_TYPES[item.kind];
  return [
    importWithType(index, imports, type),
    constant({
      name: item.identifier,
      type: `${type}<${writeString(item.name)}>`,
      value: functionOf(callOf("async ", [parameter, "ctx"]), statements),
      docs,
    }),
  ];
}
