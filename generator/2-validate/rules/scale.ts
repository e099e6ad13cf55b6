import {
  balancerTakenForClient,
  nothingToShare,
  scaleWithoutNetwork,
  sessionsOfOneProcess,
} from "../../model/catalogue/scale.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { SHAREABLE, stateToShare } from "../../model/shared-state.js";
import {
  has,
  itemsOf,
  listIn,
  LOCAL_TRANSPORTS,
  mappingIn,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";
import { credentialProblems } from "./variables.js";

/** Checks `scale`: what the processes share, which variable has the URL of Redis, and the transports. */
export function checkScale(manifest: LoadedManifest): Diagnostic[] {
  const scale = mappingIn(rootOf(manifest), "scale");
  if (scale === undefined) return [];
  return [
    ...networkProblems(manifest, scale),
    ...redisProblems(manifest, scale),
    ...uselessShares(manifest, scale),
    ...proxyProblems(manifest),
    ...sessionNotes(manifest),
  ];
}

function networkProblems(manifest: LoadedManifest, { path }: Mapping): Diagnostic[] {
  const types = itemsOf(manifest, "transports").map(({ value }) => textIn(value, "type") ?? "");
  const hasNetwork = types.some((type) => !LOCAL_TRANSPORTS.includes(type));
  return hasNetwork ? [] : [scaleWithoutNetwork(manifest.locate(path, "key"), {})];
}

/** The variable must be secret, because the URL may hold a password. */
function redisProblems(manifest: LoadedManifest, scale: Mapping): Diagnostic[] {
  const redis = mappingIn(scale, "redis");
  if (redis === undefined) return [];
  return credentialProblems(manifest, textIn(redis.value, "env"), [...redis.path, "env"]);
}

function uselessShares(manifest: LoadedManifest, { path, value }: Mapping): Diagnostic[] {
  const useful: readonly unknown[] = stateToShare(manifest.value);
  return listIn(value, "share").flatMap((state, index) => {
    const isShareable = SHAREABLE.some((name) => name === state);
    if (!isShareable || useful.includes(state)) return [];
    const place = manifest.locate([...path, "share", index], "value");
    return [nothingToShare(place, { what: String(state) })];
  });
}

/** Reports the first transport only: a proxy is in front of all or none of them. */
function proxyProblems(manifest: LoadedManifest): Diagnostic[] {
  const untrusting = itemsOf(manifest, "transports").find(
    ({ value }) =>
      !LOCAL_TRANSPORTS.includes(textIn(value, "type") ?? "") && !has(value, "trustProxy"),
  );
  if (untrusting === undefined) return [];
  return [balancerTakenForClient(manifest.locate([...untrusting.path, "type"], "value"), {})];
}

function sessionNotes(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "transports").flatMap(({ path, value }) => {
    const keepsSessions =
      textIn(value, "type") === "http" && textIn(value, "sessions") === "memory";
    return keepsSessions
      ? [sessionsOfOneProcess(manifest.locate([...path, "sessions"], "value"), {})]
      : [];
  });
}
