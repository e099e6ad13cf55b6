import type { SqlBodyModel } from "../../model/bodies.js";
import type { Entry } from "../modules/item-settings.js";
import { statementCallerCode } from "./caller-values.js";
import {
  completionCode,
  identifierOf,
  listCode,
  type ArgumentsByName,
  type BodySource,
  type SourceStatements,
} from "./source-code.js";
import { argumentsOfStatement, queryStatement } from "./sql-code.js";

/** How an `sql` body finds values: in the rows of its statement. */
export const sqlSource: BodySource<SqlBodyModel> = {
  completion: (name, body, constant) =>
    completionCode(name, constant, { used: argumentsOfStatement(body) }, (byName) => {
      const { imports, statements } = statementCode(body, byName);
      return { imports, statements: [...statements, "return answer.values();"] };
    }),
  list: (template, body) => listCode(template, statementCode(body, new Map()), "answer.rows()"),
};

function statementCode(body: SqlBodyModel, byName: ArgumentsByName): SourceStatements {
  const used = [...new Set(argumentsOfStatement(body))];
  const values = used.map((name): Entry => [name, identifierOf(name, byName)]);
  return {
    imports: body.caller === undefined ? [] : ["callerOf"],
    statements: [...statementCallerCode(body), queryStatement({ ...body, numbers: [] }, values)],
  };
}
