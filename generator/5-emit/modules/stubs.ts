import type { ImportDeclarationStructure, VariableStatementStructure } from "ts-morph";
import type { HandlerFile, ItemId } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { commentLines, writeString } from "../../text/literal.js";
import type { FormerGeneration } from "../former/former-generation.js";
import { allFiles, fileOfItem } from "../former/known-files.js";
import { PrintedPattern } from "../printed-pattern.js";
import type { FileStatements, TypeScriptPrinter } from "../typescript-printer.js";
import { handled, handlerPath } from "./handler-files.js";
import { constant, importOf } from "./structures.js";

/** The type that a handler of each kind has, and what its first parameter is called. */
const signatures = {
  tool: { type: "ToolHandler", parameter: "input" },
  resource: { type: "ResourceHandler", parameter: "uri" },
  resourceTemplate: { type: "ResourceTemplateHandler", parameter: "variables" },
  prompt: { type: "PromptHandler", parameter: "args" },
} as const;

/** A handler file for every item that needs one: theirs from the first edit on, a stub until then. */
export async function handlerFiles(
  model: ServerModel,
  printer: TypeScriptPrinter,
  former?: FormerGeneration,
): Promise<readonly HandlerFile[]> {
  const items: ItemModel[] = [
    ...handled(model.tools),
    ...handled(model.resources),
    ...handled(model.resourceTemplates),
    ...handled(model.prompts),
  ];
  const undescribed = new PrintedPattern(printer, stubModule, placeholders);
  const described = new PrintedPattern(printer, describedStubModule, describedPlaceholders);
  const stubOf = (item: ItemModel): Promise<string> => {
    const { description } = item.wire;
    const words = wordsOf(item);
    return typeof description === "string"
      ? described.fill({ ...words, docs: commentLines(description).join("\n") })
      : undescribed.fill(words);
  };
  return allFiles(
    items.map((item): HandlerFile | Promise<HandlerFile> => {
      const file = {
        owner: "handler",
        path: handlerPath(item),
        item: itemId(item),
        exportName: item.identifier,
      } as const;
      return fileOfItem(file, item, former, () => stubOf(item));
    }),
  );
}

export function itemId(item: ItemModel): ItemId {
  return `${item.kind}:${item.name}`;
}

/** What differs between stubs; each is an identifier, a literal or the inside of a comment. */
type StubWords = Readonly<Record<"handler" | "type" | "name" | "parameter" | "file", string>>;
type DescribedStubWords = StubWords & { readonly docs: string };

const placeholders: StubWords = {
  handler: "handlerToWrite",
  type: "TypeOfHandler",
  name: '"name of the item"',
  parameter: "firstParameter",
  file: '"file of the handler"',
};
const describedPlaceholders: DescribedStubWords = { ...placeholders, docs: "What the item does" };

function wordsOf(item: ItemModel): StubWords {
  return {
    ...signatures[item.kind],
    handler: item.identifier,
    name: writeString(item.name),
    file: writeString(handlerPath(item)),
  };
}

function stubModule(words: StubWords): FileStatements {
  return [handlerImport(words), stub(words)];
}

function describedStubModule({ docs, ...words }: DescribedStubWords): FileStatements {
  return [handlerImport(words), { ...stub(words), docs: [docs] }];
}

function handlerImport({ type }: StubWords): ImportDeclarationStructure {
  return importOf("../generated/index.js", ["NotImplementedError", `type ${type}`]);
}

function stub({ handler, type, name, parameter, file }: StubWords): VariableStatementStructure {
  return constant({
    name: handler,
    type: `${type}<${name}>`,
    initializer: `async (${parameter}, ctx) => { throw new NotImplementedError(${file}); }`,
  });
}
