import { BODIES, BODY_KEYS, isBody, isSource } from "../bodies/index.js";
import type { BodyModel, SourceModel } from "../model/bodies.js";
import { itemsOf } from "../model/items.js";
import type { JsonObject } from "../model/json.js";
import { validManifest } from "../model/loaded-manifest.js";
import type { ItemId } from "../model/output-file.js";
import type {
  ItemModel,
  PromptModel,
  ResourceTemplateModel,
  ServerModel,
} from "../model/server-model.js";
import { normalize } from "../3-normalize/normalize.js";

/** Bodies of the last manifest in whose place the new manifest has code; the keys are the new ids of items. */
export interface FormerBodies {
  /** Bodies of items, and bodies that listed the instances of a resource template. */
  readonly bodies: ReadonlyMap<ItemId, BodyModel>;
  /** For each item, the sources that completed its arguments or variables, by their names. */
  readonly completions: ReadonlyMap<ItemId, ReadonlyMap<string, SourceModel>>;
}

/**
 * Finds the bodies of the last manifest whose items have code in the new one; undefined if there are none.
 *
 * @param manifest the canonical manifest of the lock
 * @param model the model of the new manifest
 */
export function findFormerBodies(
  manifest: JsonObject,
  model: ServerModel,
): FormerBodies | undefined {
  if (!mayHaveBodies(manifest)) return undefined;
  return compareModels(normalize(validManifest(manifest)), model);
}

/** The kinds of bodies that ask neither an upstream nor a database. */
const ASKING_NOBODY = BODY_KEYS.filter((key) => BODIES[key].service === undefined);

/** False for most manifests; they need not be normalized. */
function mayHaveBodies(manifest: JsonObject): boolean {
  const { tools = [], resourceTemplates = [] } = manifest as {
    readonly tools?: readonly JsonObject[];
    readonly resourceTemplates?: readonly JsonObject[];
  };
  return (
    "upstreams" in manifest ||
    "databases" in manifest ||
    [...tools, ...resourceTemplates].some((item) => ASKING_NOBODY.some((key) => key in item))
  );
}

function compareModels(former: ServerModel, model: ServerModel): FormerBodies | undefined {
  const formerItems = new Map(itemsOf(former).map((item) => [`${item.kind}:${item.name}`, item]));
  const bodies = new Map<ItemId, BodyModel>();
  const completions = new Map<ItemId, ReadonlyMap<string, SourceModel>>();
  for (const item of itemsOf(model)) {
    const names = [item.name, ...(item.formerNames ?? [])];
    const origins = names.flatMap((name) => formerItems.get(`${item.kind}:${name}`) ?? []);
    const body = formerBody(item, origins);
    if (body !== undefined) bodies.set(`${item.kind}:${item.name}`, body);
    const list = formerList(item, origins);
    if (list !== undefined) bodies.set(`resourceTemplateList:${item.name}`, list);
    if (!mayComplete(item)) continue;
    const sources = formerCompletions(item, origins);
    if (sources.size > 0) completions.set(`${item.kind}Completion:${item.name}`, sources);
  }
  return bodies.size + completions.size === 0 ? undefined : { bodies, completions };
}

function formerBody(item: ItemModel, origins: readonly ItemModel[]): BodyModel | undefined {
  if (item.behaviour.kind !== "handler") return undefined;
  return origins.map(({ behaviour }) => behaviour).find(isBody);
}

function formerList(item: ItemModel, origins: readonly ItemModel[]): SourceModel | undefined {
  if (item.kind !== "resourceTemplate" || item.list !== "code") return undefined;
  return origins.map((origin) => ("list" in origin ? origin.list : undefined)).find(isSource);
}

function formerCompletions(
  item: ItemModel,
  origins: readonly ItemModel[],
): ReadonlyMap<string, SourceModel> {
  const byCode = completablesOf(item).filter(({ complete }) => complete === "code");
  const former = origins.flatMap(completablesOf);
  return new Map(
    byCode.flatMap(({ name }) => {
      const sources = former.filter((other) => other.name === name).map(({ complete }) => complete);
      const source = sources.find(isSource);
      return source === undefined ? [] : [[name, source] as const];
    }),
  );
}

/** The arguments of a prompt or the variables of a resource template, which a client may complete. */
function completablesOf(
  item: ItemModel,
): PromptModel["arguments"] | ResourceTemplateModel["variables"] {
  if (item.kind === "prompt") return item.arguments;
  return item.kind === "resourceTemplate" ? item.variables : [];
}

function mayComplete(item: ItemModel): item is PromptModel | ResourceTemplateModel {
  return item.kind === "prompt" || item.kind === "resourceTemplate";
}
