import type {
  DatabaseCase,
  DatabaseContract,
  DatabaseItemContract,
} from "../../../../templates/runtime/suite/items/databases.js";
import type { DatabaseModel } from "../../../model/bodies.js";
import { isJsonObject, type JsonObject } from "../../../model/json.js";
import { itemsOf } from "../../../model/items.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { asksDatabase, type BodilyItem, type ReadItem } from "../../bodies/body-items.js";
import { argumentsOfStatement } from "../../bodies/sql.js";
import { schemaInstances } from "../schema-instances.js";
import { itemSettings } from "../server-contract.js";
import { readsOf } from "./http-cases.js";
import { exampleContract, receivedArguments, stubAnswer } from "../tool-contracts.js";

/** The items that tests ask with databases of their own. */
export function databaseItems(model: ServerModel): readonly BodilyItem[] {
  const { databases = [] } = model;
  return databases.length === 0 ? [] : itemsOf(model).filter(asksDatabase);
}

/** What tests must know to make the databases. */
export function databaseContracts({ databases = [] }: ServerModel): DatabaseContract[] {
  return databases.map(({ name, type, place, testSetup }) => ({
    ...{ name, type, variable: testVariable({ name, place }) },
    ...(testSetup !== undefined && { setup: testSetup }),
  }));
}

/** The variable that names a database which tests may change. */
function testVariable({ name, place }: Pick<DatabaseModel, "name" | "place">): string {
  return `TEST_${typeof place === "string" ? name.toUpperCase() : place.env}`;
}

/** What is tested of an item that asks a database. */
export function databaseItemContract(item: BodilyItem, model: ServerModel): DatabaseItemContract {
  return {
    kind: item.kind === "tool" ? "tools" : "resources",
    name: item.name,
    ...itemSettings(item),
    ...(item.behaviour.kind === "handler" && { stub: stubAnswer(item) }),
    cases: databaseCases(item, model),
  };
}

function databaseCases(item: BodilyItem, model: ServerModel): DatabaseCase[] {
  if (item.kind === "prompt") return [];
  return item.kind === "tool" ? toolCases(item, model) : readCases(item, model);
}

/** The examples of a tool, and texts that try to become SQL. */
function toolCases(tool: ToolModel, model: ServerModel): DatabaseCase[] {
  const examples = tool.examples.flatMap((example): DatabaseCase[] => {
    const { database, name, arguments: values } = example;
    if (database === undefined) return [];
    const { answer } = exampleContract(tool, example);
    return [{ name, database, parameters: { arguments: values }, result: answer }];
  });
  return [...examples, ...hostileCases(tool, model)];
}

/** A read of each URI that a resource or a template has to itself. */
function readCases(item: ReadItem, model: ServerModel): DatabaseCase[] {
  const { behaviour } = item;
  if (behaviour.kind !== "sql") return [];
  return readsOf(item, model).map(({ uri }) => ({
    name: `a read of ${uri}`,
    database: behaviour.database,
    parameters: { uri },
    ...(item.kind === "resourceTemplate" && { isMadeUp: true }),
  }));
}

/** Texts that would become a part of the statement, were they not bound. */
export const HOSTILE_TEXTS = ["'; drop table x; --", "\\' or 1=1 --", '" or ""="'];

/** Of a body that reads: each argument that may be any text. */
function hostileCases(tool: ToolModel, model: ServerModel): DatabaseCase[] {
  const { behaviour } = tool;
  if (behaviour.kind !== "sql" || behaviour.write) return [];
  const shown = tool.examples.find(({ database }) => database !== undefined)?.arguments;
  const values = shown ?? schemaInstances(model, tool.input.wire).valid.filter(isJsonObject)[0];
  if (values === undefined) return [];
  const texts = [...new Set(argumentsOfStatement(behaviour))].filter((name) =>
    isAnyText(tool, receivedArguments(tool, values), name),
  );
  return texts.flatMap((name) =>
    HOSTILE_TEXTS.map((text) => ({
      name: `${name} is bound: ${text}`,
      database: behaviour.database,
      parameters: { arguments: { ...values, [name]: text } },
      isMadeUp: true,
    })),
  );
}

function isAnyText({ input }: ToolModel, values: JsonObject, name: string): boolean {
  const properties = isJsonObject(input.wire) ? input.wire["properties"] : undefined;
  const schema = isJsonObject(properties ?? null) ? (properties as JsonObject)[name] : undefined;
  if (!isJsonObject(schema ?? null) || typeof (values[name] ?? "") !== "string") return false;
  const { type, ...rules } = schema as JsonObject;
  const harmless = ["title", "description", "default", "examples", "minLength"];
  return type === "string" && Object.keys(rules).every((rule) => harmless.includes(rule));
}
