import type { BodyModel } from "../../model/bodies.js";
import type { ItemModel } from "../../model/server-model.js";
import { callOf, functionOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { HANDLER_TYPES } from "../modules/handler-files.js";
import { constant, importOf, importWithType } from "../modules/structures.js";
import type { FileStatements } from "../typescript-printer.js";
import { kindOfBody } from "./body-kinds.js";

/** The module with the steps of selections. */
const SELECTION = "@mcpwright/runtime/selection";

/**
 * A module with the code of an item's body. If the manifest later removes the body, this code becomes the
 * handler, which people own.
 *
 * @param index specifier of the module that handlers import from, relative to this module
 */
export function bodyModule(item: ItemModel, body: BodyModel, index: string): FileStatements {
  const { imports, steps = [], docs, parameter, statements } = kindOfBody(body).code(item, body);
  const type = HANDLER_TYPES[item.kind];
  return [
    ...(steps.length === 0 ? [] : [importOf(SELECTION, steps)]),
    importWithType(index, imports, type),
    constant({
      name: item.identifier,
      type: `${type}<${writeString(item.name)}>`,
      value: functionOf(callOf("async ", [parameter, "ctx"]), statements),
      docs,
    }),
  ];
}
