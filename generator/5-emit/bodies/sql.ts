import type { SqlBodyModel, StatementCallerModel } from "../../model/bodies.js";
import { code } from "../../text/markdown.js";
import {
  databaseContracts,
  databaseItemContract,
  databaseItems,
} from "../contract-tests/bodies/database-contracts.js";
import { databaseSources } from "../contract-tests/bodies/source-contracts.js";
import type { SourceKind } from "./body-kind.js";
import { sqlCode } from "./sql-code.js";
import { sqlSource } from "./sql-source.js";

/** An `sql` body. */
export const sqlBody: SourceKind<SqlBodyModel> = {
  code: sqlCode,
  answerer: ({ database }) => `the database ${code(database)}`,
  sentence: ({ database, write, caller }) =>
    `The database ${code(database)} answers: one statement that ${write ? "may change it" : "only reads it"}${caller === undefined ? "" : `, ${callerInWords(caller)}`}.`,
  isRunnable: ({ database, dialect }, { databases = [] }) =>
    databases.some(({ name, type }) => name === database && type === dialect),
  source: sqlSource,
  contracts: {
    name: "databases",
    items: databaseItems,
    contract: databaseItemContract,
    sources: databaseSources,
    index: (model) => ({ databases: databaseContracts(model) }),
  },
};

/** What a statement takes of its caller, as part of a sentence. */
function callerInWords({ role, set }: StatementCallerModel): string {
  const settings = set.map(([name]) => code(name)).join(", ");
  return [
    ...(role === undefined ? [] : [`with the role of the caller (the claim ${code(role.claim)})`]),
    ...(settings === "" ? [] : [`which knows the caller as ${settings}`]),
  ].join(", ");
}
