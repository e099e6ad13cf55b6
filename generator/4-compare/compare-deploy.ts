import { isJsonObject, type JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { stateToShare } from "../model/shared-state.js";
import { ownValue } from "../schema/json-schema.js";
import {
  deploymentRenamed,
  requestStateKeyNeeded,
  sharedStateRenamed,
  sharingChanged,
} from "./catalogue/deploy.js";
import { itemsOf, mappingOf, textOf } from "./manifest-items.js";
import type { ChangePlace } from "./rule.js";

const NAME: ChangePlace = { at: ["name"], name: ["name"] };
const KEY: ChangePlace = { at: [], name: ["REQUEST_STATE_KEY"] };
const SHARE: ChangePlace = { at: ["scale", "share"], name: ["scale", "share"] };

/** What needs more than replacing one replica after another. */
export function compareDeployment(before: JsonObject, after: JsonObject): SemanticChange[] {
  return [
    ...compareNames(before, after),
    ...compareSharing(before, after),
    ...(needsKey(after) && !needsKey(before) ? [requestStateKeyNeeded(KEY, {})] : []),
  ];
}

/** Kubernetes does without the scope of the name. */
function compareNames(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [textOf(before, "name"), textOf(after, "name")];
  if (was === undefined || is === undefined || was === is) return [];
  const [former, present] = [was, is].map((name) => name.slice(name.indexOf("/") + 1)) as [
    string,
    string,
  ];
  const both = (has: (manifest: JsonObject) => boolean): boolean => has(before) && has(after);
  const isRenamed = former !== present && both(isOnKubernetes);
  return [
    ...(isRenamed ? [deploymentRenamed(NAME, { before: former, after: present })] : []),
    ...(both(isScaled) ? [sharedStateRenamed(NAME, { before: was, after: is })] : []),
  ];
}

/** What only one side has a use for is not shared with anybody of the other. */
function compareSharing(before: JsonObject, after: JsonObject): SemanticChange[] {
  if (!isScaled(before) || !isScaled(after)) return [];
  const used = stateToShare(before).filter((what) => stateToShare(after).includes(what));
  return used.flatMap((what) => {
    const [wasShared, isShared] = [before, after].map((manifest) => shares(manifest, what));
    if (wasShared === isShared || isShared === undefined) return [];
    return [sharingChanged(SHARE, { what, isShared })];
  });
}

/** Without `share`, all is shared. */
function shares(manifest: JsonObject, what: string): boolean {
  const share = ownValue(mappingOf(manifest, "scale"), "share");
  return !Array.isArray(share) || share.includes(what);
}

/** Whether answers to questions may come to another replica than the one that asked. */
function needsKey(manifest: JsonObject): boolean {
  const transports = ownValue(manifest, "transports");
  const hasHttp =
    Array.isArray(transports) &&
    transports.filter(isJsonObject).some((transport) => textOf(transport, "type") === "http");
  return hasHttp && (isScaled(manifest) || isOnKubernetes(manifest)) && asks(manifest);
}

function asks(manifest: JsonObject): boolean {
  const lists = ["tools", "resources", "resourceTemplates", "prompts"] as const;
  return lists
    .flatMap((list) => itemsOf(manifest, list))
    .some(({ value }) => Object.hasOwn(value, "elicitations") || Object.hasOwn(value, "uses"));
}

function isScaled(manifest: JsonObject): boolean {
  return Object.hasOwn(manifest, "scale");
}

function isOnKubernetes(manifest: JsonObject): boolean {
  return ownValue(mappingOf(manifest, "deploy"), "kubernetes") === true;
}
