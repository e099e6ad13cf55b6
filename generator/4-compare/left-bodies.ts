import { isBody, isSource, type BodyModel, type SourceModel } from "../model/bodies.js";
import { itemsOf } from "../model/items.js";
import type { JsonObject } from "../model/json.js";
import type { Manifest } from "../model/manifest.js";
import type { ItemId } from "../model/output-file.js";
import type {
  ItemModel,
  PromptModel,
  ResourceTemplateModel,
  ServerModel,
} from "../model/server-model.js";
import { normalize } from "../3-normalize/normalize.js";

/** What the last manifest said, and a person's code says now; by the items as they are called now. */
export interface FormerBodies {
  /** Of items, and of what lists the instances of templates. */
  readonly bodies: ReadonlyMap<ItemId, BodyModel>;
  /** Of what completes the arguments or variables of an item, by their names. */
  readonly completions: ReadonlyMap<ItemId, ReadonlyMap<string, SourceModel>>;
}

/**
 * Bodies of a former manifest whose items have code now; undefined where there is none.
 *
 * @param manifest the canonical form that the lock has
 */
export function bodiesLeft(manifest: JsonObject, model: ServerModel): FormerBodies | undefined {
  if (!mayHaveBodies(manifest)) return undefined;
  return leftBodies(normalize(manifest as unknown as Manifest), model);
}

/** Most manifests have none, and their former model need not be made. */
function mayHaveBodies(manifest: JsonObject): boolean {
  const { tools = [], resourceTemplates = [] } = manifest as {
    readonly tools?: readonly JsonObject[];
    readonly resourceTemplates?: readonly JsonObject[];
  };
  return (
    "upstreams" in manifest ||
    "databases" in manifest ||
    tools.some((tool) => "exec" in tool) ||
    resourceTemplates.some((template) => "directory" in template)
  );
}

function leftBodies(former: ServerModel, model: ServerModel): FormerBodies | undefined {
  const formerItems = new Map(itemsOf(former).map((item) => [`${item.kind}:${item.name}`, item]));
  const bodies = new Map<ItemId, BodyModel>();
  const completions = new Map<ItemId, ReadonlyMap<string, SourceModel>>();
  for (const item of itemsOf(model)) {
    const names = [item.name, ...(item.formerNames ?? [])];
    const origins = names.flatMap((name) => formerItems.get(`${item.kind}:${name}`) ?? []);
    const body = leftBody(item, origins);
    if (body !== undefined) bodies.set(`${item.kind}:${item.name}`, body);
    const list = leftList(item, origins);
    if (list !== undefined) bodies.set(`resourceTemplateList:${item.name}`, list);
    if (!mayComplete(item)) continue;
    const completed = leftCompletions(item, origins);
    if (completed.size > 0) completions.set(`${item.kind}Completion:${item.name}`, completed);
  }
  return bodies.size + completions.size === 0 ? undefined : { bodies, completions };
}

function leftBody(item: ItemModel, origins: readonly ItemModel[]): BodyModel | undefined {
  if (item.behaviour.kind !== "handler") return undefined;
  return origins.map(({ behaviour }) => behaviour).find(isBody);
}

function leftList(item: ItemModel, origins: readonly ItemModel[]): SourceModel | undefined {
  if (item.kind !== "resourceTemplate" || item.list !== "code") return undefined;
  return origins.map((origin) => ("list" in origin ? origin.list : undefined)).find(isSource);
}

function leftCompletions(
  item: ItemModel,
  origins: readonly ItemModel[],
): ReadonlyMap<string, SourceModel> {
  const byCode = arguableOf(item).filter(({ complete }) => complete === "code");
  const former = origins.flatMap(arguableOf);
  return new Map(
    byCode.flatMap(({ name }) => {
      const sources = former.filter((other) => other.name === name).map(({ complete }) => complete);
      const source = sources.find(isSource);
      return source === undefined ? [] : [[name, source] as const];
    }),
  );
}

function arguableOf(
  item: ItemModel,
): PromptModel["arguments"] | ResourceTemplateModel["variables"] {
  if (item.kind === "prompt") return item.arguments;
  return item.kind === "resourceTemplate" ? item.variables : [];
}

function mayComplete(item: ItemModel): item is PromptModel | ResourceTemplateModel {
  return item.kind === "prompt" || item.kind === "resourceTemplate";
}
