import type { JsonSchema, JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { makeInstances, type Instances } from "../instances/make-instances.js";
import { SchemaStudy } from "../instances/schema-study.js";
import { compileValidator } from "../validators/compile-schema.js";

/** What the tests of a schema need: values that it allows and values that it refuses. */
export interface SchemaContract extends Omit<Instances, "breaking"> {
  readonly breaking: readonly RefusedValue[];
}

/** A value that breaks one constraint, and what is found first. */
export interface RefusedValue {
  readonly constraint: string;
  readonly value: JsonValue;
  /** JSON pointer of the place in the value, empty for the whole. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
  /** What callers read after the message: which values are allowed, which property is not. */
  readonly detail: string;
}

const contractsByModel = new WeakMap<ServerModel, Map<string, SchemaContract>>();

/** Lets the contracts of one server serve another, as those of its former generation do. */
export function shareSchemaContracts(model: ServerModel, former: ServerModel): void {
  const contracts = contractsByModel.get(model) ?? new Map<string, SchemaContract>();
  contractsByModel.set(model, contracts).set(former, contracts);
}

/** The contract of a schema of this server. Equal schemas, of which large servers have many, are done once. */
export function schemaContract(model: ServerModel, schema: JsonSchema): SchemaContract {
  const contracts = contractsByModel.get(model) ?? new Map<string, SchemaContract>();
  contractsByModel.set(model, contracts);
  const key = JSON.stringify(schema);
  const contract = contracts.get(key) ?? makeContract(schema);
  contracts.set(key, contract);
  return contract;
}

function makeContract(schema: JsonSchema): SchemaContract {
  const study = new SchemaStudy(schema);
  const instances = makeInstances(schema, study);
  const validate = study.validator ?? compileValidator(schema);
  const breaking = instances.breaking.map(({ constraint, value }) => {
    validate(value);
    const [first] = validate.errors ?? [];
    const { instancePath = "", keyword = "", message = "", params = {} } = first ?? {};
    const detail = detailOf(keyword, params);
    return { constraint, value, path: instancePath, keyword, message, detail };
  });
  return { ...instances, breaking };
}

/** The runtime's own rule, written a second time to check it. */
function detailOf(keyword: string, parameters: Readonly<Record<string, unknown>>): string {
  switch (keyword) {
    case "enum":
      return ` ${JSON.stringify(parameters["allowedValues"])}`;
    case "const":
      return ` ${JSON.stringify(parameters["allowedValue"])}`;
    case "additionalProperties":
      return `: ${String(parameters["additionalProperty"])}`;
    case "unevaluatedProperties":
      return `: ${String(parameters["unevaluatedProperty"])}`;
    default:
      return "";
  }
}
