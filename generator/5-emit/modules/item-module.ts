import { genericOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { commentLines, writeString } from "../../text/literal.js";
import { asksTypeName } from "../../model/type-names.js";
import type { ItemKind, ItemModel } from "../../model/server-model.js";
import type { Declaration } from "../declaration.js";
import {
  emitItemTypes,
  type ItemTypes,
  type SharedTypes,
  type TypeDeclaration,
  type TypeRequest,
} from "../types/emit-types.js";
import { declarationOf } from "../types/type-declaration.js";
import type { FileStatement, FileStatements } from "../typescript-printer.js";
import { hasBody } from "../bodies/body-items.js";
import { bodyModulePath } from "../bodies/body-module.js";
import { answerTypes, askingImports, askingTypes, mayAsk } from "./asking.js";
import { handlerModule } from "./handler-files.js";
import type { Entry } from "./item-settings.js";
import { importOf, importTypes, lateImport } from "./structures.js";

/** The module of an item: its types and its entry for the runtime. */
export interface ItemModule {
  readonly statements: FileStatements;
  /** The names of the types that it exports. */
  readonly typeNames: readonly string[];
}

/** The runtime's function for a kind of item, and the folder of the item's modules. */
interface KindOfModule {
  /** From `src/generated/`. */
  readonly folder: string;
  /** The folder of the runtime that serves such items. */
  readonly room: "tools" | "resources" | "prompts";
  readonly define: string;
  /** The module of that folder that exports the function, without extension. */
  readonly definingModule: string;
  /** The type of its result, which the module `definition` of that folder exports. */
  readonly entryType: string;
  /** What the module calls it. */
  readonly constant: string;
}

export const ITEM_MODULES: Readonly<Record<ItemKind, KindOfModule>> = {
  tool: {
    folder: "tools",
    room: "tools",
    define: "defineTool",
    definingModule: "define-tool",
    entryType: "ToolEntry",
    constant: "tool",
  },
  resource: {
    folder: "resources",
    room: "resources",
    define: "defineResource",
    definingModule: "define-resource",
    entryType: "ResourceEntry",
    constant: "resource",
  },
  resourceTemplate: {
    folder: "resource-templates",
    room: "resources",
    define: "defineResourceTemplate",
    definingModule: "define-resource",
    entryType: "ResourceTemplateEntry",
    constant: "template",
  },
  prompt: {
    folder: "prompts",
    room: "prompts",
    define: "definePrompt",
    definingModule: "define-prompt",
    entryType: "PromptEntry",
    constant: "prompt",
  },
};

/** Path of an item's module without extension, from `src/generated/`. The list of its kind is `index`. */
export function itemModulePath({ kind, fileName }: ItemModel): string {
  const name = fileName === "index" ? "index_" : fileName;
  return `${ITEM_MODULES[kind].folder}/${name}`;
}

/** The parts in which modules of items differ. */
export interface ItemParts {
  /** Types that are made from schemas. */
  readonly requests?: readonly TypeRequest[];
  /** Descriptions of the types for which the manifest has none, by their names. */
  readonly docs?: Readonly<Record<string, string>>;
  /** Other types. */
  readonly types?: readonly Declaration[];
  /** Types of the runtime's folder that these types use. */
  readonly roomTypes?: readonly string[];
  /** Whether any of the other types is about code that completes. */
  readonly completed?: boolean;
  /** The types of the handler's first argument and of what it returns; absent where there is no code. */
  readonly codeTypes?: readonly string[];
  readonly entries: readonly Entry[];
}

/** Names that the module of an item may import. */
const IMPORTED_TYPES = [
  "CompletionCode",
  "Context",
  "Elicit",
  "NoValues",
  "PromptEntry",
  "ResourceEntry",
  "ResourceTemplateEntry",
  "RootsContext",
  "SamplingContext",
  "ToolContent",
  "ToolEntry",
];

/** Puts the module of an item together. */
export function itemModule(item: ItemModel, parts: ItemParts, shared: SharedTypes): ItemModule {
  const {
    requests = [],
    docs = {},
    types = [],
    roomTypes = [],
    completed = false,
    codeTypes,
    entries,
  } = parts;
  const own = [...types, ...askingTypes(item)];
  const taken = [...IMPORTED_TYPES, ...own.map(({ name }) => name)];
  const made = emitItemTypes([...requests, ...answerTypes(item)], shared, taken);
  const documented = made.declarations.map((type): TypeDeclaration => {
    const text = docs[type.name];
    return type.docs.length > 0 || text === undefined
      ? type
      : { ...type, docs: commentLines(text) };
  });
  const declarations = [...documented.map(declarationOf), ...own];
  const { room, define, definingModule, entryType } = ITEM_MODULES[item.kind];
  const statements = [
    importOf(`../runtime/${room}/${definingModule}.ts`, [define]),
    importTypes(`../runtime/${room}/definition.ts`, [...roomTypes, entryType]),
    ...askingImports(item),
    ...typeImports(made, "../"),
    ...(codeTypes === undefined
      ? []
      : [importTypes("../types.ts", [...(completed ? ["CompletionCode"] : []), "Context"])]),
    ...declarations,
    ...itemDefinition(
      item,
      codeTypes === undefined ? define : typed(item, define, codeTypes),
      entries,
    ),
  ];
  return { statements, typeNames: declarations.map(({ name }) => name) };
}

/** The function with the types of the item's code. */
function typed(item: ItemModel, define: string, codeTypes: readonly string[]): Code {
  const context = mayAsk(item) ? `Context & ${asksTypeName(item)}` : "Context";
  return genericOf(define, [...codeTypes, context]);
}

/** The constant states its type, so that the compiler need not infer it for the list of all items. */
function itemDefinition(item: ItemModel, define: Code, entries: readonly Entry[]): FileStatement[] {
  const { constant, entryType } = ITEM_MODULES[item.kind];
  const opening = `const ${constant}: ${entryType} = `;
  return [
    { code: sequenceOf([opening, define, "(", objectOf(entries), ");"]) },
    `export default ${constant};`,
  ];
}

/**
 * The imports of the types of JSON and of shared schemas that types use.
 *
 * @param up from the module to `src/generated/`
 */
export function typeImports(
  { jsonTypes, sharedTypes }: Pick<ItemTypes, "jsonTypes" | "sharedTypes">,
  up: string,
): FileStatement[] {
  return [
    ...(jsonTypes.length > 0
      ? [importTypes(`${up}runtime/engine/json-types.ts`, [...jsonTypes].sort())]
      : []),
    ...(sharedTypes.length > 0 ? [importTypes(`${up}schemas.ts`, sharedTypes)] : []),
  ];
}

/** The handler of an item; none where its answer stands in the manifest. */
export function handlerEntry(item: ItemModel): Entry[] {
  if (hasBody(item)) {
    return [["handler", lateImport(`../${bodyModulePath(item)}.ts`, item.identifier)]];
  }
  if (item.behaviour.kind !== "handler") return [];
  return [["handler", lateImport(`../../${handlerModule(item)}.ts`, item.identifier)]];
}

/** What mock mode answers for a body. */
export function mockEntry(item: ItemModel): Entry[] {
  return hasBody(item) ? [["mock", writeString(`A mock answer of ${item.name}.`)]] : [];
}
