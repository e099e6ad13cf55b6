import { openCredential, undeclaredVariable } from "../../model/catalogue/bodies.js";
import {
  balancerTakenForClient,
  nothingToShare,
  scaleWithoutNetwork,
  sessionsOfOneProcess,
} from "../../model/catalogue/scale.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { SHAREABLE, stateToShare } from "../../model/shared-state.js";
import { nearestName } from "../../text/nearest-name.js";
import { has, itemsOf, listIn, mappingIn, rootOf, textIn, type Mapping } from "../manifest-view.js";

/** Transports whose clients come to one process only. */
const LOCAL = ["stdio", "custom"];

/** What several processes share, and where Redis is. */
export function checkScale(manifest: LoadedManifest): Diagnostic[] {
  const scale = mappingIn(rootOf(manifest), "scale");
  if (scale === undefined) return [];
  return [
    ...networkProblems(manifest, scale),
    ...variableProblems(manifest, scale),
    ...uselessShares(manifest, scale),
    ...proxyProblems(manifest),
    ...sessionNotes(manifest),
  ];
}

function networkProblems(manifest: LoadedManifest, { path }: Mapping): Diagnostic[] {
  const types = itemsOf(manifest, "transports").map(({ value }) => textIn(value, "type") ?? "");
  const hasNetwork = types.some((type) => !LOCAL.includes(type));
  return hasNetwork ? [] : [scaleWithoutNetwork(manifest.locate(path, "key"), {})];
}

/** The URL may hold a password. */
function variableProblems(manifest: LoadedManifest, scale: Mapping): Diagnostic[] {
  const redis = mappingIn(scale, "redis");
  const name = redis && textIn(redis.value, "env");
  if (redis === undefined || name === undefined) return [];
  const place = manifest.locate([...redis.path, "env"], "value");
  const variables = mappingIn(rootOf(manifest), "env")?.value ?? {};
  if (!has(variables, name)) {
    const nearest = nearestName(name, Object.keys(variables));
    return [undeclaredVariable(place, { name, ...(nearest !== undefined && { nearest }) })];
  }
  const variable = variables[name] ?? null;
  const isSecret = isJsonObject(variable) && variable["secret"] === true;
  return isSecret ? [] : [openCredential(place, { name })];
}

function uselessShares(manifest: LoadedManifest, { path, value }: Mapping): Diagnostic[] {
  const used: readonly unknown[] = stateToShare(manifest.value);
  return listIn(value, "share").flatMap((what, index) => {
    const isKnown = SHAREABLE.some((one) => one === what);
    if (!isKnown || used.includes(what)) return [];
    const place = manifest.locate([...path, "share", index], "value");
    return [nothingToShare(place, { what: String(what) })];
  });
}

/** Says so once: what is in front of one transport is in front of all. */
function proxyProblems(manifest: LoadedManifest): Diagnostic[] {
  const untrusting = itemsOf(manifest, "transports").find(
    ({ value }) => !LOCAL.includes(textIn(value, "type") ?? "") && !has(value, "trustProxy"),
  );
  if (untrusting === undefined) return [];
  return [balancerTakenForClient(manifest.locate([...untrusting.path, "type"], "value"), {})];
}

function sessionNotes(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "transports").flatMap(({ path, value }) => {
    const isKept = textIn(value, "type") === "http" && textIn(value, "sessions") === "memory";
    return isKept
      ? [sessionsOfOneProcess(manifest.locate([...path, "sessions"], "value"), {})]
      : [];
  });
}
