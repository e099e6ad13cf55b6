import { expectedInfo, type ListSettings, type ServerContract } from "./contract.js";
import { expectEqual } from "./expectation.js";
import type { TestRegistry } from "./probed-server.js";

/** Registers the test of the server's settings. */
export function testSettings(
  test: TestRegistry,
  contract: ServerContract,
  definition: object,
): void {
  const { instructions, protocol, transports, env, limits, settings, timeouts } = contract;
  test("the settings are what the manifest says", async () => {
    const { info: name, ...rest } = definition as ServerContract & ListSettings;
    expectEqual(name, await expectedInfo(contract), "info");
    expectEqual(rest.instructions, instructions, "instructions");
    expectEqual(rest.protocol, protocol, "protocol");
    expectEqual(rest.transports, transports, "transports");
    expectEqual(rest.env, env, "env");
    expectEqual(rest.limits, limits, "limits");
    expectEqual(listSettingsOf(rest), settings, "pages and caching hints");
    expectEqual(timeoutsOf(definition), timeouts, "time limits of items");
  });
}

function listSettingsOf({ pageSize, cache }: ListSettings): ListSettings {
  return { ...(pageSize !== undefined && { pageSize }), ...(cache !== undefined && { cache }) };
}

/** The time limits that items have of their own, by list and name. */
function timeoutsOf(definition: object): ServerContract["timeouts"] {
  const lists = ["tools", "resources", "resourceTemplates", "prompts"];
  return Object.fromEntries(
    lists.flatMap((list) => {
      const entries = (definition as Record<string, readonly TimedEntry[]>)[list] ?? [];
      const own = entries.flatMap(({ definition: { name }, timeoutMs }) =>
        timeoutMs === undefined ? [] : [[name, timeoutMs] as const],
      );
      return own.length === 0 ? [] : [[list, Object.fromEntries(own)] as const];
    }),
  );
}

interface TimedEntry {
  readonly definition: { readonly name: string };
  readonly timeoutMs?: number;
}
