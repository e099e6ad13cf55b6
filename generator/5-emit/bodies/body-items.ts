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

/** Whether another service or a database lists the instances of a template. */
export function findsInstances(model: ServerModel): boolean {
  const { upstreams = [], databases = [], resourceTemplates } = model;
  return (
    upstreams.length + databases.length > 0 &&
    resourceTemplates.some(({ list }) => list !== undefined)
  );
}

/** The other MCP servers that a server asks, of one kind. */
export function remoteServersOf(
  { servers = [] }: ServerModel,
  kind: RemoteServerModel["kind"],
): readonly RemoteServerModel[] {
  return servers.filter((server) => server.kind === kind);
}

/** Whether a body can run: the manifest declares the partners that it asks. */
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
