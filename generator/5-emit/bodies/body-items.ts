import { isBody } from "../../bodies/index.js";
import type { BodyModel, RemoteServerModel } from "../../model/bodies.js";
import type {
  ItemModel,
  ResourceModel,
  ResourceTemplateModel,
  ServerModel,
  ToolModel,
} from "../../model/server-model.js";
import { itemsOf } from "../../model/items.js";
import { handlerModule } from "../modules/handler-files.js";

/** An item that is read. */
export type ReadItem = ResourceModel | ResourceTemplateModel;

/** An item that has a body. */
export type BodyItem = ItemModel & { readonly behaviour: BodyModel };

/** True if the manifest says what an item does, so that its code is generated. */
export function hasBody(item: ItemModel): item is BodyItem {
  return isBody(item.behaviour);
}

/** True if an item has code: a handler, or the generated code of its body. */
export function hasCode(item: ItemModel): boolean {
  return item.behaviour.kind === "handler" || hasBody(item);
}

/** True if tests call an item with a simulated upstream: it has an `http` body, or examples with its answers. */
export function asksUpstream(item: ItemModel): boolean {
  if (item.behaviour.kind === "http") return true;
  if (item.kind !== "tool" || item.behaviour.kind !== "handler") return false;
  return item.examples.some(({ http }) => http !== undefined);
}

/** True if tests call an item with a database of the tests: it has an `sql` body, or examples that name a database. */
export function asksDatabase(item: ItemModel): boolean {
  if (item.behaviour.kind === "sql") return true;
  if (item.kind !== "tool" || item.behaviour.kind !== "handler") return false;
  return item.examples.some(({ database }) => database !== undefined);
}

/** True if tests call a tool with a stand-in for its program: it has an `exec` body, or examples with outputs. */
export function runsProgram({ behaviour, examples }: ToolModel): boolean {
  if (behaviour.kind === "exec") return true;
  return behaviour.kind === "handler" && examples.some(({ exec }) => exec !== undefined);
}

/** True if an upstream or a database may be needed to list the instances of templates. */
export function findsInstances(model: ServerModel): boolean {
  const { upstreams = [], databases = [], resourceTemplates } = model;
  return (
    upstreams.length + databases.length > 0 &&
    resourceTemplates.some(({ list }) => list !== undefined)
  );
}

/** The remote MCP servers of one kind. */
export function remoteServersOf(
  { servers = [] }: ServerModel,
  kind: RemoteServerModel["kind"],
): readonly RemoteServerModel[] {
  return servers.filter((server) => server.kind === kind);
}

/** The items of a server that have a body. */
export function bodyItems(model: ServerModel): readonly BodyItem[] {
  return itemsOf(model).filter(hasBody);
}

/** Path of the module of an item's body, relative to `src/generated/`, without extension. */
export function bodyModulePath(item: BodyItem): string {
  return `bodies/${handlerModule(item)}`;
}
