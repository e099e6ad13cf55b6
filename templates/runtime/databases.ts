/** The types of databases that handlers query as `ctx.databases`. */
export type { DatabaseAnswer } from "./databases/answer.js";
export type {
  PostgresDatabase,
  PostgresQueryOptions,
  QueryOptions,
  SqliteDatabase,
} from "./databases/databases.js";
export type { DatabaseDefinition } from "./databases/definition.js";
