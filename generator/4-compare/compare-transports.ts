import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import {
  transportAddressChanged,
  transportAdded,
  transportPathChanged,
  transportRemoved,
} from "./catalogue/server.js";
import { compareTransportAccess } from "./compare-transport-access.js";
import type { ChangePlace } from "./rule.js";

interface Transport {
  readonly type: string;
  readonly value: JsonObject;
  readonly place: ChangePlace;
}

/** The changes of how the server is reached. */
export function compareTransports(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [transportsOf(before), transportsOf(after)];
  const removed = [...former.keys()].filter((type) => !present.has(type));
  return [
    ...[...present.values()].flatMap((transport) => {
      const { type, place } = transport;
      const partner = former.get(type);
      return partner === undefined
        ? [transportAdded(place, { type })]
        : [
            ...compareSettings(partner, transport),
            ...compareTransportAccess({
              type,
              before: partner.value,
              after: transport.value,
              place,
            }),
          ];
    }),
    ...removed.map((type) =>
      transportRemoved({ at: ["transports"], name: ["transports", type] }, { type }),
    ),
  ];
}

/** By type; a manifest without a list has stdio alone. */
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

/** Path of each transport, where it has none of its own; which other settings are paths clients know. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  http: { path: "/mcp", host: "127.0.0.1", port: 3000 },
  sse: { path: "/sse", messagesPath: "/messages", host: "127.0.0.1", port: 3000 },
  websocket: { path: "/ws", host: "127.0.0.1", port: 3000 },
};

const ADDRESS: ReadonlySet<string> = new Set(["host", "port"]);

function compareSettings(former: Transport, { type, value, place }: Transport): SemanticChange[] {
  const defaults = Object.hasOwn(DEFAULTS, type) ? (DEFAULTS[type] ?? {}) : {};
  return Object.entries(defaults).flatMap(([setting, otherwise]) => {
    const [before, after] = [former.value, value].map(
      (transport) => ownValue(transport, setting) ?? otherwise,
    );
    if (before === after || !isSetting(before) || !isSetting(after)) return [];
    const rule = ADDRESS.has(setting) ? transportAddressChanged : transportPathChanged;
    const { at, name } = place;
    return [
      rule({ at: [...at, setting], name: [...name, setting] }, { type, setting, before, after }),
    ];
  });
}

function isSetting(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
