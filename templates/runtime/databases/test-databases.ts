import type { ServerDefinition } from "../engine/definition.js";
import { MissingServicesError } from "../testing/test-context.js";
import { createDatabases } from "./databases.js";

/**
 * `ctx.databases` of a handler's own test.
 *
 * @param places of databases, by their names; without them, a handler that asks one fails
 */
export function testDatabases<Databases>(
  definition: ServerDefinition,
  env: unknown,
  places: Readonly<Record<string, string>> | undefined,
  signal = new AbortController().signal,
): Databases {
  if (places === undefined) return missingDatabases() as Databases;
  const options = { env, root: ".", databases: places };
  return createDatabases(definition, options).bind({ signal }) as Databases;
}

/** Says what a test has to pass. */
function missingDatabases(): object {
  return new Proxy(
    {},
    {
      get(target, name) {
        if (typeof name === "string") throw new MissingDatabaseError(name);
        return Reflect.get(target, name) as unknown;
      },
    },
  );
}

class MissingDatabaseError extends MissingServicesError {
  constructor(name: string) {
    super(`needs a database: pass its place, createTestContext({ databases: { ${name} } })`);
  }
}
