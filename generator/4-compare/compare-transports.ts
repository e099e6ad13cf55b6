import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import { networkTransport, usualSetting } from "../model/transports.js";
import {
  transportAddressChanged,
  transportAdded,
  transportPathChanged,
  transportRemoved,
} from "./catalogue/server.js";
import { compareTransportAccess } from "./compare-transport-access.js";
import { placeBelow } from "../model/change-places.js";
import type { ChangePlace } from "../model/semantic-rule.js";

interface Transport {
  readonly type: string;
  readonly value: JsonObject;
  readonly place: ChangePlace;
}

/** The changes of transports: which there are, their addresses and their settings. */
export function compareTransports(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [transportsOf(before), transportsOf(after)];
  const removed = [...former.keys()].filter((type) => !present.has(type));
  return [
    ...[...present.values()].flatMap((transport) => {
      const { type, value, place } = transport;
      const origin = former.get(type);
      if (origin === undefined) return [transportAdded(place, { type })];
      return [
        ...compareAddresses(origin, transport),
        ...compareTransportAccess({ type, before: origin.value, after: value, place }),
      ];
    }),
    ...removed.map((type) =>
      transportRemoved({ at: ["transports"], name: ["transports", type] }, { type }),
    ),
  ];
}

/** The transports by their types. A manifest without a list of transports has stdio only. */
function transportsOf(manifest: JsonObject): Map<string, Transport> {
  const list = ownValue(manifest, "transports") ?? [{ type: "stdio" }];
  return new Map(
    (Array.isArray(list) ? list : []).flatMap((value, index) => {
      const type = isJsonObject(value) ? ownValue(value, "type") : undefined;
      if (!isJsonObject(value) || typeof type !== "string") return [];
      const place = { at: ["transports", index], name: ["transports", type] };
      return [[type, { type, value, place }] as const];
    }),
  );
}

/** The settings of an address that people can override when they start the server; all others are paths. */
const LISTENING_SETTINGS = ["host", "port"];

function compareAddresses(former: Transport, { type, value, place }: Transport): SemanticChange[] {
  const kind = networkTransport(type);
  if (kind === undefined) return [];
  return [...kind.paths, ...LISTENING_SETTINGS].flatMap((setting) => {
    const [before, after] = [former.value, value].map(
      (transport) => ownValue(transport, setting) ?? usualSetting(kind, setting),
    );
    if (before === after || !isTextOrNumber(before) || !isTextOrNumber(after)) return [];
    const rule = LISTENING_SETTINGS.includes(setting)
      ? transportAddressChanged
      : transportPathChanged;
    return [rule(placeBelow(place, setting), { type, setting, before, after })];
  });
}

function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
