import { writtenJson, type JsonSchema, type JsonValue } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import type { ServerModel } from "../../model/server-model.js";
import type { ReportedFinding } from "../../schema/reported-findings.js";
import { makeInstances, type Instances } from "../../schema/instances/make-instances.js";

/** A value that breaks one constraint of a schema and no other, and what is found of it. */
export interface BrokenValue {
  /** JSON pointer of the constraint in the schema: `/properties/days/maximum`, `/required/0`. */
  readonly breaks: string;
  readonly value: JsonValue;
  /** JSON pointer of the place in the value. */
  readonly path: string;
  readonly keyword: string;
  /** What callers are told, without the place; after it come details. */
  readonly message: string;
  readonly detail: string;
}

/** What the tests of a schema need: values that it allows, and values that it refuses. */
export interface SchemaContract extends Omit<Instances, "breaking"> {
  readonly breaking: readonly BrokenValue[];
}

/** The contracts of the schemas of each server, by the text of the schema. */
const contractsOf = onceForEach((_model: ServerModel) => new Map<string, SchemaContract>());

/** The contract of a schema of this server. Equal schemas, of which large servers have many, are done once. */
export function schemaContract(model: ServerModel, schema: JsonSchema): SchemaContract {
  const contracts = contractsOf(model);
  const key = writtenJson(schema);
  const contract = contracts.get(key) ?? makeContract(schema);
  contracts.set(key, contract);
  return contract;
}

/** A value that a schema of this server allows; undefined where none could be made. */
export function schemaMock(model: ServerModel, schema: JsonSchema): JsonValue | undefined {
  return schemaContract(model, schema).mock;
}

function makeContract(schema: JsonSchema): SchemaContract {
  const instances = makeInstances(schema);
  const breaking = instances.breaking.map(({ constraint, value, finding }) => {
    const { instancePath: path, keyword, message, params } = finding;
    return { breaks: constraint, value, path, keyword, message, detail: detailOf(params) };
  });
  return { ...instances, breaking };
}

/** What callers read after the message: the runtime's own rule, written a second time to check it. */
function detailOf(params: ReportedFinding["params"]): string {
  const [name = "", value] = Object.entries(params)[0] ?? [];
  if (value === undefined) return "";
  return name.startsWith("allowed") ? ` ${JSON.stringify(value)}` : `: ${String(value)}`;
}
