import type { JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import { networkTransport, usualSetting } from "../model/transports.js";
import {
  monitoringPathChanged,
  transportResumptionRemoved,
  transportSessionsChanged,
} from "./catalogue/abilities.js";
import {
  allowedHostRemoved,
  allowedOriginRemoved,
  corsSwitchedOff,
  transportSecurityChanged,
} from "./catalogue/access.js";
import {
  AllowedOrigins,
  isOriginPattern,
  originText,
} from "../../templates/runtime/http/allowed-origins.js";
import { onlyIn, textOf, textsOf } from "./manifest-items.js";
import { placeBelow } from "../model/change-places.js";
import type { ChangePlace } from "../model/semantic-rule.js";

/** The settings of one transport in both manifests. */
export interface TransportPair {
  readonly type: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly place: ChangePlace;
}

/** The changes of who may use a transport, of its sessions, and of its paths for monitoring. */
export function compareTransportAccess(pair: TransportPair): SemanticChange[] {
  const { type, before, after, place } = pair;
  const removed = (key: string): string[] => onlyIn(textsOf(before, key), textsOf(after, key));
  return [
    ...removed("allowedHosts").map((host) =>
      allowedHostRemoved(placeBelow(place, "allowedHosts"), { type, host }),
    ),
    ...removedOrigins(before, after).map((origin) =>
      allowedOriginRemoved(placeBelow(place, "allowedOrigins"), { type, origin }),
    ),
    ...compareCors(pair),
    ...compareSecurity(pair),
    ...compareSessions(pair),
    ...compareMonitoring(pair),
  ];
}

/** The origins that may not call any more. A pattern keeps those that it matches. */
function removedOrigins(before: JsonObject, after: JsonObject): string[] {
  const present = textsOf(after, "allowedOrigins");
  const allowed = new AllowedOrigins(present);
  return onlyIn(textsOf(before, "allowedOrigins"), present).filter((entry) => {
    const origin = isOriginPattern(entry) ? undefined : originText(entry);
    return origin === undefined || !allowed.has(origin);
  });
}

/** The server sends CORS headers only if it allows origins; without allowed origins nobody misses them. */
function compareCors({ type, before, after, place }: TransportPair): SemanticChange[] {
  const wasOn = ownValue(before, "cors") !== false && textsOf(before, "allowedOrigins").length > 0;
  const isOff = ownValue(after, "cors") === false;
  return wasOn && isOff ? [corsSwitchedOff(placeBelow(place, "cors"), { type })] : [];
}

function compareSecurity({ type, before, after, place }: TransportPair): SemanticChange[] {
  const [was, isSecure] = [before, after].map((value) => Object.hasOwn(value, "tls"));
  if (was === isSecure || isSecure === undefined) return [];
  return [transportSecurityChanged(placeBelow(place, "tls"), { type, isSecure })];
}

function compareSessions({ type, place, ...settings }: TransportPair): SemanticChange[] {
  const [former, present] = [settings.before, settings.after];
  const [before = "none", after = "none"] = [former, present].map((value) =>
    textOf(value, "sessions"),
  );
  if (before !== after) {
    return [transportSessionsChanged(placeBelow(place, "sessions"), { type, before, after })];
  }
  const isLost = ownValue(former, "resumable") === true && ownValue(present, "resumable") !== true;
  return isLost ? [transportResumptionRemoved(placeBelow(place, "resumable"), { type })] : [];
}

function compareMonitoring({ type, place, ...settings }: TransportPair): SemanticChange[] {
  const kind = networkTransport(type);
  return (kind?.monitoring ?? []).flatMap((setting) => {
    const [before, after] = [settings.before, settings.after].map(
      (value) => textOf(value, setting) ?? (kind && usualSetting(kind, setting)),
    );
    if (typeof before !== "string" || before === after) return [];
    const parameters = { type, setting, before, after: typeof after === "string" ? after : "off" };
    return [monitoringPathChanged(placeBelow(place, setting), parameters)];
  });
}
