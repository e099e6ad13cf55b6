import type { HandlerFile, ItemId } from "../../model/output-file.js";
import type { FormerBodies } from "../../4-compare/former-bodies.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { writeString } from "../../text/literal.js";
import { isRunnable } from "../bodies/body-kinds.js";
import { bodyModule } from "../bodies/body-module.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { functionOf } from "../../text/code.js";
import { itemsOf } from "../../model/items.js";
import { withHandler, HANDLER_PARAMETERS, HANDLER_TYPES, handlerPath } from "./handler-files.js";
import { constant, importOf } from "./structures.js";

/** The handler files: stubs, or the code of former bodies. */
export async function handlerFiles(
  model: ServerModel,
  printer: TypeScriptPrinter,
  formerBodies: FormerBodies | undefined,
): Promise<HandlerFile[]> {
  return Promise.all(
    withHandler(itemsOf(model)).map(async (item) => {
      const path = handlerPath(item);
      const content = await printer.printOwned(stub(item));
      const body = formerBody(item, model, formerBodies);
      return {
        owner: "handler" as const,
        path,
        ...(body === undefined
          ? { content }
          : { content: await printer.printOwned(body), stub: content }),
        item: itemId(item),
        exportName: item.identifier,
      };
    }),
  );
}

/** The code of a body that the manifest no longer has; undefined if there was none, or if it could not run. */
function formerBody(
  item: ItemModel,
  model: ServerModel,
  formerBodies: FormerBodies | undefined,
): FileStatements | undefined {
  const body = formerBodies?.bodies.get(itemId(item));
  if (body === undefined || !isRunnable(body, model)) return undefined;
  return bodyModule(item, body, "../generated/index.ts");
}

/** The id of an item in the lock: its kind and name. */
export function itemId(item: ItemModel): ItemId {
  return `${item.kind}:${item.name}`;
}

function stub(item: ItemModel): FileStatements {
  const type = HANDLER_TYPES[item.kind];
  const { description } = item.wire;
  return [
    importOf("../generated/index.ts", ["NotImplementedError", `type ${type}`]),
    constant({
      name: item.identifier,
      type: `${type}<${writeString(item.name)}>`,
      value: functionOf(`async (_${HANDLER_PARAMETERS[item.kind]}, _ctx)`, [
        `throw new NotImplementedError(${writeString(handlerPath(item))});`,
      ]),
      ...(typeof description === "string" && { docs: description }),
    }),
  ];
}
