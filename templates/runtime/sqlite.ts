/** Databases of SQLite, which Node.js has from version 22.13 on. */
import { databasesPart, type DatabaseSettings } from "./databases/part.js";
import { openSqlite } from "./databases/sqlite.js";
import type { ServerPart } from "./server/server-part.js";

/** Gives handlers these databases of SQLite in `ctx.databases`, by their names. Each is opened at its first use. */
export function sqlite(databases: readonly DatabaseSettings[]): ServerPart {
  const part = databasesPart("sqlite", databases);
  return (definition) => ({ ...part(definition), openSqlite });
}
