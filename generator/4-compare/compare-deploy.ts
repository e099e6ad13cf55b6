import { exposesPages } from "../selection/envelope.js";
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
import { LIST_NAMES } from "./catalogue/items.js";
import { itemsOf, mappingOf, textOf } from "./manifest-items.js";
import { missingPlace, placeAt } from "../model/change-places.js";

const NAME = placeAt("name");
const KEY = missingPlace("REQUEST_STATE_KEY");
const SHARE = placeAt("scale", "share");

/** The changes for which it is not enough to replace one replica after another. */
export function compareDeployment(before: JsonObject, after: JsonObject): SemanticChange[] {
  return [
    ...compareNames(before, after),
    ...compareSharing(before, after),
    ...(needsKey(after) && !needsKey(before) ? [requestStateKeyNeeded(KEY, {})] : []),
  ];
}

/** Deployments of Kubernetes are named without the scope of the server's name; keys in Redis have it. */
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

/** Compares only the state that both manifests use: old and new replicas share nothing else. */
function compareSharing(before: JsonObject, after: JsonObject): SemanticChange[] {
  if (!isScaled(before) || !isScaled(after)) return [];
  const used = stateToShare(before).filter((state) => stateToShare(after).includes(state));
  return used.flatMap((state) => {
    const [wasShared, isShared] = [before, after].map((manifest) => shares(manifest, state));
    if (wasShared === isShared || isShared === undefined) return [];
    return [sharingChanged(SHARE, { state, isShared })];
  });
}

/** True if replicas share a kind of state; without `share` they share all kinds. */
function shares(manifest: JsonObject, state: string): boolean {
  const share = ownValue(mappingOf(manifest, "scale"), "share");
  return !Array.isArray(share) || share.includes(state);
}

/** True if a client's answer to a question may reach another replica than the one that asked. */
function needsKey(manifest: JsonObject): boolean {
  const transports = ownValue(manifest, "transports");
  const hasHttp =
    Array.isArray(transports) &&
    transports.filter(isJsonObject).some((transport) => textOf(transport, "type") === "http");
  return hasHttp && (isScaled(manifest) || isOnKubernetes(manifest)) && asks(manifest);
}

function asks(manifest: JsonObject): boolean {
  if (exposesPages({ value: manifest })) return true;
  return LIST_NAMES.flatMap((list) => itemsOf(manifest, list)).some(({ value }) =>
    ["elicitations", "uses", "confirm"].some((key) => Object.hasOwn(value, key)),
  );
}

function isScaled(manifest: JsonObject): boolean {
  return Object.hasOwn(manifest, "scale");
}

function isOnKubernetes(manifest: JsonObject): boolean {
  return ownValue(mappingOf(manifest, "deploy"), "kubernetes") === true;
}
