import type { JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
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
import { textOf, textsOf } from "./manifest-items.js";
import type { ChangePlace } from "./rule.js";

/** Both manifests' settings of one transport. */
export interface TransportPair {
  readonly type: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly place: ChangePlace;
}

/** The changes of who may use a transport, and what it does for older clients and for operators. */
export function compareTransportAccess(pair: TransportPair): SemanticChange[] {
  const { type, before, after } = pair;
  const gone = (key: string): string[] => {
    const present = textsOf(after, key);
    return textsOf(before, key).filter((text) => !present.includes(text));
  };
  return [
    ...gone("allowedHosts").map((host) =>
      allowedHostRemoved(placeOf(pair, "allowedHosts"), { type, host }),
    ),
    ...gone("allowedOrigins").map((origin) =>
      allowedOriginRemoved(placeOf(pair, "allowedOrigins"), { type, origin }),
    ),
    ...compareCors(pair),
    ...compareSecurity(pair),
    ...compareSessions(pair),
    ...compareMonitoring(pair),
  ];
}

function placeOf({ place: { at, name } }: TransportPair, key: string): ChangePlace {
  return { at: [...at, key], name: [...name, key] };
}

/** CORS headers are sent where there are origins to allow; without any nobody misses them. */
function compareCors(pair: TransportPair): SemanticChange[] {
  const { type, before, after } = pair;
  const wasOn = ownValue(before, "cors") !== false && textsOf(before, "allowedOrigins").length > 0;
  const isOff = ownValue(after, "cors") === false;
  return wasOn && isOff ? [corsSwitchedOff(placeOf(pair, "cors"), { type })] : [];
}

function compareSecurity(pair: TransportPair): SemanticChange[] {
  const [was, isSecure] = [pair.before, pair.after].map((value) => Object.hasOwn(value, "tls"));
  if (was === isSecure || isSecure === undefined) return [];
  return [transportSecurityChanged(placeOf(pair, "tls"), { type: pair.type, isSecure })];
}

function compareSessions(pair: TransportPair): SemanticChange[] {
  const { type, before: former, after: present } = pair;
  const [before = "none", after = "none"] = [former, present].map((value) =>
    textOf(value, "sessions"),
  );
  const isLost = ownValue(former, "resumable") === true && ownValue(present, "resumable") !== true;
  return [
    ...(before === after
      ? []
      : [transportSessionsChanged(placeOf(pair, "sessions"), { type, before, after })]),
    ...(isLost && before === after
      ? [transportResumptionRemoved(placeOf(pair, "resumable"), { type })]
      : []),
  ];
}

function compareMonitoring(pair: TransportPair): SemanticChange[] {
  const { type } = pair;
  return [
    ["health", type === "http" ? "/healthz" : undefined] as const,
    ["ready", undefined] as const,
    ["metrics", undefined] as const,
  ].flatMap(([setting, otherwise]) => {
    const [before, after] = [pair.before, pair.after].map(
      (value) => textOf(value, setting) ?? otherwise,
    );
    if (before === undefined || before === after) return [];
    const parameters = { type, setting, before, after: after ?? "off" };
    return [monitoringPathChanged(placeOf(pair, setting), parameters)];
  });
}
