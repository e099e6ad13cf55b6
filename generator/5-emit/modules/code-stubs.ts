import type { HandlerFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { functionOf, objectOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { itemCode, type ItemCode } from "./handler-files.js";
import { constant, importOf } from "./structures.js";

/** Stubs of the code that completes arguments and variables, and that lists instances. */
export async function codeFiles(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<HandlerFile[]> {
  return Promise.all(
    itemCode(model).map(async (code) => ({
      owner: "handler" as const,
      path: codePath(code),
      content: await printer.printOwned(stub(code)),
      item: code.id,
      exportName: code.exportName,
    })),
  );
}

function codePath({ module }: ItemCode): string {
  return `src/${module}.ts`;
}

function stub(code: ItemCode): FileStatements {
  const { exportName, type, item, completed, kind } = code;
  const refusal = `throw new NotImplementedError(${writeString(codePath(code))});`;
  const value =
    kind === "resourceTemplateList"
      ? functionOf("async (ctx)", [refusal])
      : objectOf(completed.map((name) => [name, functionOf("async (query, ctx)", [refusal])]));
  const docs =
    kind === "resourceTemplateList"
      ? "The instances that there are."
      : "Values that clients offer.";
  return [
    importOf("../generated/index.ts", ["NotImplementedError", `type ${type}`]),
    constant({
      name: exportName,
      type: `${type}<${writeString(item.name)}>`,
      value,
      docs,
    }),
  ];
}
