import type { BreakingValue } from "../../../templates/runtime/suite/contract.js";
import type { SchemaContract } from "../../../templates/runtime/suite/items/schema-contract.js";
import type { ServerModel } from "../../model/server-model.js";
import { makeInstances, type BreakingInstance } from "../../schema/instances/make-instances.js";
import { writtenValues } from "./changed-values.js";
import { separateSchemas, type SeparateSchema } from "./separate-schemas.js";
import { untestedConstraints } from "./untested-constraints.js";

/** A contract as its file has it. */
type WrittenContract = Omit<SchemaContract, "values"> & {
  readonly values: ReturnType<typeof writtenValues>;
};

/** The contracts of the shared schemas that have functions of their own. */
export function schemaContracts(model: ServerModel): WrittenContract[] {
  const separate = separateSchemas(model);
  return [...separate.values()].map((schema) =>
    schemaContract(schema, (other) => other !== schema.definition && separate.has(other)),
  );
}

function schemaContract(
  { model: { name, fileName }, exported, document, pointer }: SeparateSchema,
  isSeparate: Parameters<typeof makeInstances>[1],
): WrittenContract {
  const { valid, breaking, leftOut } = makeInstances(document, isSeparate);
  const ofSchema = leftOut.map(({ constraint, reason }) => ({
    constraint: constraint.slice(pointer.length),
    reason,
  }));
  const untested = untestedConstraints("schema", ofSchema);
  return {
    ...{ name, module: fileName, exported },
    values: writtenValues({ accepted: valid, refused: breaking.map(refusedValue) }),
    ...(untested.length > 0 && { untested }),
  };
}

function refusedValue({ value, finding }: BreakingInstance): BreakingValue {
  const { instancePath, keyword, message } = finding;
  return { value, says: `${instancePath || "/"}: ${message}`, keyword };
}
