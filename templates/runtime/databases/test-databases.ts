import { missingBackends } from "../backends/missing-backends.js";
import type { ServerDefinition } from "../engine/definition.js";
import { MissingServicesError } from "../testing/test-context.js";
import { createDatabases } from "./databases.js";

/**
 * Creates `ctx.databases` for the test of a handler.
 *
 * @param locations URLs or file paths, by the names of the databases; without them, a handler that uses a database
 *   fails with a `MissingServicesError`
 */
export function testDatabases<Databases>(
  definition: ServerDefinition,
  env: unknown,
  locations: Readonly<Record<string, string>> | undefined,
  signal: AbortSignal = new AbortController().signal,
): Databases {
  if (locations === undefined)
    return missingBackends((name) => new MissingDatabaseError(name)) as Databases;
  const options = { env, root: ".", databases: locations };
  return createDatabases(definition, options).bind({ signal }) as Databases;
}

class MissingDatabaseError extends MissingServicesError {
  constructor(name: string) {
    super(`needs a database: pass its place, createTestContext({ databases: { ${name} } })`);
  }
}
