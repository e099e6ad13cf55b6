import { genericOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { commentLines, writeString } from "../../text/literal.js";
import { asksTypeName } from "../../model/type-names.js";
import type { ItemKind, ItemModel, ToolModel } from "../../model/server-model.js";
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
import { bodyModulePath, hasBody } from "../bodies/body-items.js";
import { answerTypes, askingImports, askingTypes, mayAsk } from "./asking.js";
import { handlerModule } from "./handler-files.js";
import type { Entry } from "./item-settings.js";
import { importOf, importTypes, lateImport } from "./structures.js";

/** The module of an item: its types, and its entry in the definition of the server. */
export interface ItemModule {
  readonly statements: FileStatements;
  /** The names of the types that it exports. */
  readonly typeNames: readonly string[];
}

/** How modules of one kind of item are written. */
interface KindOfModule {
  /** Name of the runtime's function that makes the entry. */
  readonly define: string;
  /** The runtime's type of the entry. */
  readonly entryType: string;
  /** Name of the constant that holds the entry. */
  readonly constant: string;
}

/** How modules of items are written, by kind of item. */
const ITEM_MODULES: Readonly<Record<ItemKind, KindOfModule>> = {
  tool: {
    define: "defineTool",
    entryType: "ToolEntry",
    constant: "tool",
  },
  resource: {
    define: "defineResource",
    entryType: "ResourceEntry",
    constant: "resource",
  },
  resourceTemplate: {
    define: "defineResourceTemplate",
    entryType: "ResourceTemplateEntry",
    constant: "template",
  },
  prompt: {
    define: "definePrompt",
    entryType: "PromptEntry",
    constant: "prompt",
  },
};

/** The parts of a module that depend on the kind of item. */
export interface ItemParts {
  /** Requests for types of schemas. */
  readonly requests?: readonly TypeRequest[];
  /** Default descriptions of these types, by name of the type. */
  readonly docs?: Readonly<Record<string, string>>;
  /** Further types. */
  readonly types?: readonly Declaration[];
  /** Types that the module imports from the runtime, in addition to the type of the entry. */
  readonly roomTypes?: readonly string[];
  /** True if any of the further types uses `CompletionCode`. */
  readonly completed?: boolean;
  /** The types of the handler's first argument and of its result; absent if the item has no code. */
  readonly codeTypes?: readonly string[];
  /** Further imports. */
  readonly imports?: readonly FileStatement[];
  /** Members of the item's entry. */
  readonly entries: readonly Entry[];
}

/** Names that the module of an item may import, so that inner types of schemas do not get them. */
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

/** Assembles the module of an item from its parts. */
export function itemModule(item: ItemModel, parts: ItemParts, shared: SharedTypes): ItemModule {
  const {
    requests = [],
    docs = {},
    types = [],
    roomTypes = [],
    completed = false,
    codeTypes,
    imports = [],
    entries,
  } = parts;
  const furtherTypes = [...types, ...askingTypes(item)];
  const taken = [...IMPORTED_TYPES, ...furtherTypes.map(({ name }) => name)];
  const schemaTypes = emitItemTypes([...requests, ...answerTypes(item)], shared, taken);
  const documented = schemaTypes.declarations.map((type): TypeDeclaration => {
    const text = docs[type.name];
    return type.docs.length > 0 || text === undefined
      ? type
      : { ...type, docs: commentLines(text) };
  });
  const declarations = [...documented.map(declarationOf), ...furtherTypes];
  const { define, entryType } = ITEM_MODULES[item.kind];
  const statements = [
    importOf("@mcpwright/runtime", [define, ...roomTypes.map(asType), asType(entryType)]),
    ...imports,
    ...askingImports(item),
    ...typeImports(schemaTypes, "../"),
    ...(codeTypes === undefined
      ? []
      : [importTypes("../index.ts", [...(completed ? ["CompletionCode"] : []), "Context"])]),
    ...declarations,
    ...itemDefinition(
      item,
      codeTypes === undefined ? define : withTypeArguments(item, define, codeTypes),
      entries,
    ),
  ];
  return { statements, typeNames: declarations.map(({ name }) => name) };
}

/** The specifier of a type in an import of values. */
const asType = (name: string): string => `type ${name}`;

/** The function with type arguments for the item's code. */
function withTypeArguments(item: ItemModel, define: string, codeTypes: readonly string[]): Code {
  const context = mayAsk(item) ? `Context & ${asksTypeName(item)}` : "Context";
  return genericOf(define, [...codeTypes, context]);
}

/** The entry and its export. The constant has an explicit type, which type-checks faster than an inferred one. */
function itemDefinition(item: ItemModel, define: Code, entries: readonly Entry[]): FileStatement[] {
  const { constant, entryType } = ITEM_MODULES[item.kind];
  const opening = `const ${constant}: ${entryType} = `;
  return [
    { code: sequenceOf([opening, define, "(", objectOf(entries), ");"]) },
    `export default ${constant};`,
  ];
}

/**
 * The imports of the types of JSON values and of shared schemas that types use.
 *
 * @param up relative path from the module to `src/generated/`
 */
export function typeImports(
  { jsonTypes, sharedTypes }: Pick<ItemTypes, "jsonTypes" | "sharedTypes">,
  up: string,
): FileStatement[] {
  return [
    ...(jsonTypes.length > 0 ? [importTypes("@mcpwright/runtime", [...jsonTypes].sort())] : []),
    ...(sharedTypes.length > 0 ? [importTypes(`${up}schemas.ts`, sharedTypes)] : []),
  ];
}

/** The entry `handler` of an item; empty if its answer is in the manifest. */
export function handlerEntry(item: ItemModel): Entry[] {
  if (hasBody(item)) {
    return [["handler", lateImport(`../${bodyModulePath(item)}.ts`, item.identifier)]];
  }
  if (item.behaviour.kind !== "handler") return [];
  return [["handler", lateImport(`../../${handlerModule(item)}.ts`, item.identifier)]];
}

/** The entry `mock` of an item that is no tool. */
export function mockEntry(item: Exclude<ItemModel, ToolModel>): Entry[] {
  const text = mockText(item);
  return text === undefined ? [] : [["mock", writeString(text)]];
}

/** The answer of an item that is no tool in mock mode; undefined unless a handler is to be written or asks a backend. */
export function mockText(item: Exclude<ItemModel, ToolModel>): string | undefined {
  if (item.behaviour.kind !== "handler" && !hasBody(item)) return undefined;
  const text = `A mock answer of ${item.name}.`;
  const isJson = item.kind !== "prompt" && /[/+]json\b/.test(item.mimeType ?? "");
  return isJson ? JSON.stringify(text) : text;
}
