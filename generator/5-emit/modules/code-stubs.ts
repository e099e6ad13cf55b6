import { isSource } from "../../bodies/index.js";
import type { FormerBodies } from "../../4-compare/former-bodies.js";
import type { HandlerFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { functionOf, objectOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { isRunnable, sourceOf } from "../bodies/body-kinds.js";
import type { SourceCode } from "../bodies/source-code.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { itemCode, type ItemCode } from "./handler-files.js";
import type { Entry } from "./item-settings.js";
import { constant, importWithType } from "./structures.js";

/** The files of people's code that completes arguments and variables or lists instances: stubs, or former bodies. */
export async function codeFiles(
  model: ServerModel,
  printer: TypeScriptPrinter,
  formerBodies: FormerBodies | undefined,
): Promise<HandlerFile[]> {
  return Promise.all(
    itemCode(model).map(async (code) => {
      const content = await printer.printOwned(codeModule(code, new Map()));
      const former = formerFunctions(code, model, formerBodies);
      return {
        owner: "handler" as const,
        path: codePath(code),
        ...(former.size === 0
          ? { content }
          : { content: await printer.printOwned(codeModule(code, former)), stub: content }),
        item: code.id,
        exportName: code.exportName,
      };
    }),
  );
}

function codePath({ module }: ItemCode): string {
  return `src/${module}.ts`;
}

/** The key of the function that lists instances; other functions have the name of the argument that they complete. */
const LIST = "";

/** The functions of former bodies, by the arguments that they complete. */
function formerFunctions(
  code: ItemCode,
  model: ServerModel,
  formerBodies: FormerBodies | undefined,
): ReadonlyMap<string, SourceCode> {
  const { id, item, completed, exportName } = code;
  const list = formerBodies?.bodies.get(id);
  if (item.kind === "resourceTemplate" && isSource(list) && isRunnable(list, model)) {
    return new Map([[LIST, sourceOf(list).list(item, list)]]);
  }
  const sources = formerBodies?.completions.get(id);
  return new Map(
    completed.flatMap((name) => {
      const source = sources?.get(name);
      if (source === undefined || !isRunnable(source, model)) return [];
      return [[name, sourceOf(source).completion(name, source, exportName)] as const];
    }),
  );
}

/** @param former functions of former bodies, which replace stubs */
function codeModule(code: ItemCode, former: ReadonlyMap<string, SourceCode>): FileStatements {
  const { exportName, type, item, completed, kind } = code;
  const refusal = `throw new NotImplementedError(${writeString(codePath(code))});`;
  const stub = (parameters: string): Code => functionOf(parameters, [refusal]);
  const isList = kind === "resourceTemplateList";
  const value = isList
    ? (former.get(LIST)?.code ?? stub("async (_ctx)"))
    : objectOf(
        completed.map((name): Entry => [
          name,
          former.get(name)?.code ?? stub("async (_query, _ctx)"),
        ]),
      );
  const hasStubs = former.size < (isList ? 1 : completed.length);
  const imports = [...former.values()].flatMap((source) => source.imports);
  if (hasStubs) imports.push("NotImplementedError");
  return [
    importWithType("../generated/index.ts", imports, type),
    constant({
      name: exportName,
      type: `${type}<${writeString(item.name)}>`,
      value,
      docs: isList ? "The existing instances." : "Values that clients suggest to their users.",
    }),
  ];
}
