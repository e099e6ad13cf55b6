import type { BrokenValue } from "../../../templates/runtime/suite/values/constraints.js";
import { writtenJson, type JsonSchema, type JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { makeInstances, makeMock, type Instances } from "../instances/make-instances.js";
import type { FormerContracts } from "./former-contracts.js";

/** What the tests of a schema need: values that it allows, and values that break what its tests cannot tell how to break. */
export interface SchemaContract extends Omit<Instances, "breaking"> {
  readonly breaking: readonly BrokenValue[];
}

/** What is known of the schemas of a server. */
interface KnownContracts {
  /** By the text of the schema. */
  readonly contracts: Map<string, SchemaContract>;
  readonly mocks: Map<string, JsonValue | undefined>;
  /** What a former generation found of its tools' schemas. */
  former: (() => FormerContracts | undefined) | undefined;
}

const knownByModel = new WeakMap<ServerModel, KnownContracts>();

function knownOf(model: ServerModel): KnownContracts {
  const known = knownByModel.get(model) ?? {
    contracts: new Map<string, SchemaContract>(),
    mocks: new Map<string, JsonValue | undefined>(),
    former: undefined,
  };
  knownByModel.set(model, known);
  return known;
}

/** Lets the contracts of one server serve another, as those of its former generation do. */
export function shareSchemaContracts(model: ServerModel, former: ServerModel): void {
  knownByModel.set(former, knownOf(model));
}

/**
 * Lets what the former generation wrote spare the work for schemas that are as they were.
 *
 * @param contracts asked for when they are first needed
 */
export function takeFormerContracts(
  model: ServerModel,
  contracts: () => FormerContracts | undefined,
): void {
  let read: { readonly contracts: FormerContracts | undefined } | undefined;
  knownOf(model).former = () => (read ??= { contracts: contracts() }).contracts;
}

/** What a former generation found of this server's schemas. */
export function formerContracts(model: ServerModel): FormerContracts | undefined {
  return knownOf(model).former?.();
}

/** The contract of a schema of this server. Equal schemas, of which large servers have many, are done once. */
export function schemaContract(model: ServerModel, schema: JsonSchema): SchemaContract {
  const { contracts } = knownOf(model);
  const key = writtenJson(schema);
  const contract = contracts.get(key) ?? makeContract(schema);
  contracts.set(key, contract);
  return contract;
}

/** The `mock` of a schema's contract, without the rest where nothing else will be asked of it. */
export function schemaMock(model: ServerModel, schema: JsonSchema): JsonValue | undefined {
  const { contracts, mocks } = knownOf(model);
  const key = writtenJson(schema);
  const contract = contracts.get(key);
  if (contract !== undefined) return contract.mock;
  const former = formerContracts(model);
  const output = former?.output(schema);
  if (output?.mock !== undefined) return output.mock;
  if (output === undefined && former?.input(schema) === undefined) {
    return schemaContract(model, schema).mock;
  }
  const mock = mocks.has(key) ? mocks.get(key) : makeMock(schema);
  mocks.set(key, mock);
  return mock;
}

function makeContract(schema: JsonSchema): SchemaContract {
  const instances = makeInstances(schema, { leavesPlain: true });
  const breaking = instances.breaking.map(({ constraint, value, finding }) => {
    const { instancePath: path, keyword, message = "", params } = finding;
    return { breaks: constraint, value, path, keyword, message, detail: detailOf(keyword, params) };
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
    case "propertyNames":
      return `: ${String(parameters["propertyName"])}`;
    default:
      return "";
  }
}
