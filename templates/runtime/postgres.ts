/** Databases of Postgres. It needs the package `pg`. */
import { databasesPart, type DatabaseSettings } from "./databases/part.js";
import { openPostgres } from "./databases/postgres.js";
import type { ServerPart } from "./server/server-part.js";

/** Gives handlers these databases of Postgres in `ctx.databases`, by their names. Each connects at its first use. */
export function postgres(databases: readonly DatabaseSettings[]): ServerPart {
  const part = databasesPart("postgres", databases);
  return (definition) => ({ ...part(definition), openPostgres });
}
