import type { ServerPart } from "../server/server-part.js";
import { createDatabases } from "./databases.js";
import type { DatabaseDefinition } from "./definition.js";

/** The settings of a database. Durations are in milliseconds. */
export type DatabaseSettings = Omit<DatabaseDefinition, "type">;

/** Adds databases of one type to those of the server. */
export function databasesPart(
  type: DatabaseDefinition["type"],
  settings: readonly DatabaseSettings[],
): ServerPart {
  return ({ databases = [] }) => ({
    databases: [...databases, ...settings.map((database) => ({ ...database, type }))],
    createDatabases,
  });
}
