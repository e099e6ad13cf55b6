import type { JsonObject } from "../../model/json.js";
import { NETWORK_TRANSPORTS, type TransportModel } from "../../model/transports.js";
import { callOf, literalOf, objectOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { customTransportNames } from "./custom-transport-names.js";
import type { Entry } from "./item-settings.js";

/** A value in the definition of a server, and the names that it needs. */
export interface ServerValue {
  readonly code: Code;
  /** Pairs of a module and the names that are imported from it. */
  readonly imports: readonly (readonly [module: string, ...names: string[]])[];
}

/** The transport as a call of the runtime's function for it, without settings that have their default. */
export function transportValue(transport: TransportModel): ServerValue {
  const module = `@mcpwright/runtime/${transport.type}`;
  switch (transport.type) {
    case "stdio":
      return { code: "stdio()", imports: [[module, "stdio"]] };
    case "custom": {
      const { identifier, path } = customTransportNames(transport.name);
      return {
        code: callOf("custom", [writeString(transport.name), identifier]),
        imports: [
          [module, "custom"],
          [`../${path.slice("src/".length)}`, identifier],
        ],
      };
    }
    default: {
      const { factory, defaults } = NETWORK_TRANSPORTS[transport.type];
      const { page, ...settings } = statedSettings(transport, { ...defaults });
      const entries = Object.entries(settings).map(([key, value]): Entry => [
        key,
        literalOf(value),
      ]);
      if (page !== undefined) entries.push(["page", pageValue(page as { public: boolean })]);
      return {
        code: callOf(factory, entries.length === 0 ? [] : [objectOf(entries)]),
        imports: [[module, factory], ...(page === undefined ? [] : [[PAGE, "page"] as const])],
      };
    }
  }
}

const PAGE = "@mcpwright/runtime/page";

function pageValue(page: { readonly public: boolean }): Code {
  return callOf("page", page.public ? [literalOf({ public: true })] : []);
}

/** The settings that differ from the defaults. */
function statedSettings(
  transport: object,
  defaults: Readonly<Record<string, unknown>>,
): JsonObject {
  const stated = Object.entries(transport as JsonObject).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
  );
  return Object.fromEntries(stated);
}
