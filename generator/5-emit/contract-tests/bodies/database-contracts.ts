import type {
  DatabaseCase,
  DatabaseContract,
  DatabaseItemContract,
} from "../../../../templates/runtime/suite/items/databases.js";
import type { DatabaseModel } from "../../../model/bodies.js";
import { itemsOf } from "../../../model/items.js";
import type { ItemModel, ServerModel, ToolModel } from "../../../model/server-model.js";
import { asksDatabase, type ReadItem } from "../../bodies/body-items.js";
import { argumentsOfStatement } from "../../bodies/sql-code.js";
import { validArguments } from "../schema-instances.js";
import { itemSettings } from "../server-contract.js";
import { readsOf } from "./http-cases.js";
import {
  exampleContract,
  exampleMatchers,
  receivedArguments,
  stubAnswer,
} from "../tool-contracts.js";
import { testCaller } from "./test-caller.js";
import { textSchema } from "./text-arguments.js";

/** The items that tests call with databases of the tests. */
export function databaseItems(model: ServerModel): readonly ItemModel[] {
  const { databases = [] } = model;
  return databases.length === 0 ? [] : itemsOf(model).filter(asksDatabase);
}

/** The databases that tests create. */
export function databaseContracts({ databases = [] }: ServerModel): DatabaseContract[] {
  return databases.map(({ name, type, place, testSetup }) => ({
    ...{ name, type, variable: testVariable({ name, place }) },
    ...(testSetup !== undefined && { setup: testSetup }),
  }));
}

/** The environment variable with the place of a database that tests may change. */
function testVariable({ name, place }: Pick<DatabaseModel, "name" | "place">): string {
  return `TEST_${typeof place === "string" ? name.toUpperCase() : place.env}`;
}

/** The contract of an item that queries a database. */
export function databaseItemContract(item: ItemModel, model: ServerModel): DatabaseItemContract {
  const { behaviour } = item;
  const caller = behaviour.kind === "sql" && behaviour.caller && testCaller(model, behaviour);
  return {
    kind: item.kind === "tool" ? "tools" : "resources",
    name: item.name,
    ...itemSettings(item),
    ...(caller && { caller }),
    ...(behaviour.kind === "handler" && { stub: stubAnswer(item) }),
    cases: databaseCases(item, model),
  };
}

function databaseCases(item: ItemModel, model: ServerModel): DatabaseCase[] {
  if (item.kind === "prompt") return [];
  return item.kind === "tool" ? toolCases(item, model) : readCases(item, model);
}

/** The examples of a tool, and calls with texts that attempt SQL injection. */
function toolCases(tool: ToolModel, model: ServerModel): DatabaseCase[] {
  const examples = tool.examples.flatMap((example): DatabaseCase[] => {
    const { database, name, arguments: values } = example;
    if (database === undefined) return [];
    const { answer } = exampleContract(tool, example);
    return [
      {
        ...{ name, database, parameters: { arguments: values }, result: answer },
        ...exampleMatchers(tool, example),
      },
    ];
  });
  return [...examples, ...hostileCases(tool, model)];
}

/** A read of each URI that only this resource or template matches. */
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

/** A text that would change the statement if it were inserted into it instead of bound. */
export const INJECTED_STATEMENT = "'; drop table x; --";

/** For each argument that takes any text: a call with a hostile text. Only for bodies that do not write. */
function hostileCases(tool: ToolModel, model: ServerModel): DatabaseCase[] {
  const { behaviour } = tool;
  if (behaviour.kind !== "sql" || behaviour.write) return [];
  const example = tool.examples.find(({ database }) => database !== undefined);
  const values = example?.arguments ?? validArguments(model, tool);
  if (values === undefined) return [];
  const received = receivedArguments(tool, values);
  const names = [...new Set(argumentsOfStatement(behaviour))].filter((name) => {
    const schema = textSchema(tool, received, name);
    return schema !== undefined && schema.maxLength === undefined;
  });
  return names.map((name) => ({
    name: `${name} is bound: ${INJECTED_STATEMENT}`,
    database: behaviour.database,
    parameters: { arguments: { ...values, [name]: INJECTED_STATEMENT } },
    isMadeUp: true,
  }));
}
