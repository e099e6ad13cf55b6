import { isBody, type BodyModel, type RemoteServerModel } from "../../model/bodies.js";
import type {
  ItemModel,
  PromptModel,
  ResourceModel,
  ResourceTemplateModel,
  ServerModel,
  ToolModel,
} from "../../model/server-model.js";
import { itemsOf } from "../../model/items.js";
import { callOf, functionOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { HANDLER_TYPES, handlerModule } from "../modules/handler-files.js";
import { constant, importWithType } from "../modules/structures.js";
import type { FileStatements } from "../typescript-printer.js";
import { directoryCode } from "./directory.js";
import { execCode } from "./exec.js";
import { httpCode } from "./http.js";
import { mcpCode } from "./mcp.js";
import { sqlCode } from "./sql.js";

/** What the code of a body is made of. */
export interface BodyCode {
  /** What it imports of the project's own module, beside the type of the handler. */
  readonly imports: readonly string[];
  readonly docs: string;
  /** The first parameter of the handler. */
  readonly parameter: Code;
  readonly statements: readonly Code[];
}

/** An item of a kind that may have a body. */
export type BodilyItem = ToolModel | ReadItem | PromptModel;

/** An item that is read. */
export type ReadItem = ResourceModel | ResourceTemplateModel;

/** An item that has a body. */
export type BodyItem = BodilyItem & { readonly behaviour: BodyModel };

/** Whether the manifest says what an item does, so that its code is generated. */
export function hasBody(item: ItemModel): item is BodyItem {
  return isBody(item.behaviour);
}

/** Whether an item has code: a person's, or its body's. */
export function hasCode(item: ItemModel): boolean {
  return item.behaviour.kind === "handler" || hasBody(item);
}

/** Whether tests play the upstream of an item: of one with a body, or whose examples say what it answers. */
export function isPlayed(item: BodilyItem): boolean {
  if (item.behaviour.kind === "http") return true;
  if (item.kind !== "tool" || item.behaviour.kind !== "handler") return false;
  return item.examples.some(({ http }) => http !== undefined);
}

/** Whether tests ask an item with databases of their own. */
export function asksDatabase(item: BodilyItem): boolean {
  if (item.behaviour.kind === "sql") return true;
  if (item.kind !== "tool" || item.behaviour.kind !== "handler") return false;
  return item.examples.some(({ database }) => database !== undefined);
}

/** Whether tests call a tool with a program that stands in for its own. */
export function runsProgram({ behaviour, examples }: ToolModel): boolean {
  if (behaviour.kind === "exec") return true;
  return behaviour.kind === "handler" && examples.some(({ exec }) => exec !== undefined);
}

/** Whether handlers of a server can run programs. */
export function hasPrograms({ tools, programs }: ServerModel): boolean {
  return programs === true || tools.some(runsProgram);
}

/** Whether handlers of a server can read directories. */
export function hasDirectories({ resourceTemplates, directories }: ServerModel): boolean {
  return directories === true || resourceTemplates.some(readsDirectory);
}

function readsDirectory({ behaviour, list }: ResourceTemplateModel): boolean {
  return behaviour.kind === "directory" || (typeof list === "object" && list.kind === "directory");
}

/** The other MCP servers that a server asks, of one kind. */
export function remoteServersOf(
  { servers = [] }: ServerModel,
  kind: RemoteServerModel["kind"],
): readonly RemoteServerModel[] {
  return servers.filter((server) => server.kind === kind);
}

/** Whether a body can run: what it asks is declared. */
export function isRunnable(body: BodyModel, model: ServerModel): boolean {
  const { upstreams = [], databases = [], servers = [] } = model;
  switch (body.kind) {
    case "http":
      return upstreams.some(({ name }) => name === body.upstream);
    case "sql":
      return databases.some(({ name, type }) => name === body.database && type === body.dialect);
    case "exec":
      return hasPrograms(model);
    case "directory":
      return hasDirectories(model);
    case "mcp":
      return servers.some(({ name }) => name === body.server);
  }
}

/** The items of a server that have a body. */
export function bodyItems(model: ServerModel): readonly BodyItem[] {
  return itemsOf(model).filter(hasBody);
}

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
 * A module with the code of an item's body: the generated one or, once the manifest says no more what the item
 * does, a person's.
 *
 * @param index from the module to the one that handlers import from
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
