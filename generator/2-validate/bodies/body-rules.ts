import type { BodyModel } from "../../model/bodies.js";
import type { Rule } from "../rule.js";
import { checkDatabaseExamples } from "./databases.js";
import { checkDirectoryBodies } from "./directory.js";
import { checkExecBodies } from "./exec.js";
import { checkExampleAnswers, checkHttpBodies } from "./http.js";
import { checkMcpBodies } from "./mcp.js";
import { checkSqlBodies } from "./sql.js";

/** What is checked of each kind of body, and of examples that answer in place of what it asks. */
const RULES: Readonly<Record<BodyModel["kind"], readonly Rule[]>> = {
  http: [checkHttpBodies, checkExampleAnswers],
  sql: [checkSqlBodies, checkDatabaseExamples],
  exec: [checkExecBodies],
  directory: [checkDirectoryBodies],
  mcp: [checkMcpBodies],
};

/** The rules about bodies of all kinds. */
export const rulesOfBodies: readonly Rule[] = Object.values(RULES).flat();
