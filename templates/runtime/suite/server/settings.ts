import { expectedInfo, type ListSettings, type ServerContract } from "../contract.js";
import { expectEqual } from "../expectation.js";
import type { TestRegistry } from "../clients/probed-server.js";

/** Registers the test of the server's settings. */
export function testSettings(
  test: TestRegistry,
  contract: ServerContract,
  definition: object,
): void {
  const { instructions, protocol, transports, env, limits, settings } = contract;
  const { timeouts = {}, scopes = {}, groups = {}, restrict } = contract;
  test("the settings are those of the manifest", async () => {
    const { info: name, ...rest } = definition as ServerContract & ListSettings;
    expectEqual(name, await expectedInfo(contract), "info");
    expectEqual(rest.instructions, instructions, "instructions");
    expectEqual(rest.protocol, protocol, "protocol");
    expectEqual(withoutCode(rest.transports), transports, "transports");
    expectEqual(rest.env ?? [], env, "env");
    expectEqual(rest.limits, limits, "limits");
    expectEqual(listSettingsOf(rest), settings, "pages and caching hints");
    expectEqual(ownOf(definition, "timeoutMs"), timeouts, "time limits of items");
    expectEqual(ownOf(definition, "scopes"), scopes, "scopes of items");
    expectEqual(ownOf(definition, "groups"), groups, "groups of items");
    expectEqual(rest.restrict, restrict, "what restricts the server");
  });
}

/** Settings without functions, such as the code of the page that a transport shows. */
function withoutCode(settings: unknown): unknown {
  return JSON.parse(JSON.stringify(settings)) as unknown;
}

function listSettingsOf({ pageSize, cache }: ListSettings): ListSettings {
  return { ...(pageSize !== undefined && { pageSize }), ...(cache !== undefined && { cache }) };
}

/** Returns the items' own values of a setting, by list and name. */
function ownOf(definition: object, setting: string): object {
  const lists = ["tools", "resources", "resourceTemplates", "prompts"];
  return Object.fromEntries(
    lists.flatMap((list) => {
      const entries = (definition as Record<string, readonly Entry[]>)[list] ?? [];
      const own = entries.flatMap((entry) => {
        const value = entry[setting];
        return value === undefined ? [] : [[entry.definition.name, value] as const];
      });
      return own.length === 0 ? [] : [[list, Object.fromEntries(own)] as const];
    }),
  );
}

interface Entry {
  readonly definition: { readonly name: string };
  readonly [setting: string]: unknown;
}
