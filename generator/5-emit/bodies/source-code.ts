import { isSource } from "../../bodies/index.js";
import type { SourceModel } from "../../model/bodies.js";
import type { PromptModel, ResourceTemplateModel } from "../../model/server-model.js";
import { callOf, functionOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { handlerModule, parametersOf } from "../modules/handler-files.js";
import type { Entry } from "../modules/item-settings.js";
import { namedArguments, type ArgumentFacts, type BodyArgument } from "./arguments.js";

/** The code of a function that finds values, and the names that its module imports for it, except types. */
export interface SourceCode {
  readonly imports: readonly string[];
  readonly code: Code;
}

/** How a kind of body finds values. Its members are methods, so that a table can hold all kinds. */
export interface BodySource<Body> {
  /**
   * The function that finds completions for an argument or a variable.
   *
   * @param constant name of the constant that holds the function
   */
  completion(name: string, body: Body, constant: string): SourceCode;
  /** The function that lists the instances of a template. */
  list(template: ResourceTemplateModel, body: Body): SourceCode;
}

/** An item whose arguments or variables can have completions. */
export type CompletedItem = PromptModel | ResourceTemplateModel;

/** The arguments or variables that bodies complete, with these bodies. */
export function completionSources(item: CompletedItem): [name: string, source: SourceModel][] {
  return parametersOf(item).flatMap(({ name, complete }): [string, SourceModel][] =>
    isSource(complete) ? [[name, complete]] : [],
  );
}

/** Path of the module with the bodies that complete an item, relative to `src/generated/`, without extension. */
export function completionModulePath(item: CompletedItem): string {
  return `bodies/${handlerModule(item)}.complete`;
}

/** Path of the module with the body that lists a template's instances, relative to `src/generated/`, without extension. */
export function listModulePath(item: ResourceTemplateModel): string {
  return `bodies/${handlerModule(item)}.list`;
}

export type ArgumentsByName = ReadonlyMap<string, BodyArgument>;

/** Statements of a function, with the names that they need. */
export interface SourceStatements {
  readonly imports: readonly string[];
  readonly statements: readonly Code[];
}

/**
 * The function that finds completions for an argument from what its body asks.
 *
 * @param used the other arguments that the body uses
 * @param present those of them that must have a value, or nothing is found
 */
export function completionCode(
  name: string,
  constant: string,
  {
    used,
    present = [],
  }: { readonly used: readonly string[]; readonly present?: readonly string[] },
  statementsOf: (byName: ArgumentsByName) => SourceStatements,
): SourceCode {
  const others = [constant, "caller", "found", "values"];
  const all = [...new Set([name, ...used])];
  const byName = namedArguments(others, completionFacts(name, present), all);
  const { imports, statements } = statementsOf(byName);
  const missing = present.map((argument) => `!${identifierOf(argument, byName)}`).join(" || ");
  const checks = present.length === 0 ? [] : [`if (${missing}) return [];`];
  const parameters = callOf("async ", [queryParameter(name, byName), "ctx"]);
  return { imports, code: functionOf(parameters, [...checks, ...statements]) };
}

/** The function that lists the instances of a template, whose variables are members of what the code finds. */
export function listCode(
  { variables }: ResourceTemplateModel,
  { imports, statements }: SourceStatements,
  values: Code,
): SourceCode {
  const names = literalOf(variables.map(({ name }) => name));
  const instances = sequenceOf(["return ", callOf("instancesOf", [values, names]), ";"]);
  return {
    imports: [...imports, "instancesOf"],
    code: functionOf("async (ctx)", [...statements, instances]),
  };
}

/** The typed text is always present, though it may be empty. Values of other arguments may be absent. */
function completionFacts(typed: string, present: readonly string[]) {
  return (name: string): ArgumentFacts => {
    const isPresent = name === typed || present.includes(name);
    return { isRequired: isPresent, isPlainText: isPresent };
  };
}

/** The name that an argument has in the code. */
export const identifierOf = (name: string, byName: ArgumentsByName): string =>
  byName.get(name)?.identifier ?? name;

/** The parameter that destructures a query, such as `{ value: table, given: { database } }`. */
function queryParameter(typed: string, byName: ArgumentsByName): Code {
  const others = [...byName.values()].filter(({ name }) => name !== typed);
  const given = others.map(({ name, identifier }): Entry => [name, identifier]);
  return objectOf([
    ["value", identifierOf(typed, byName)],
    ...(given.length === 0 ? [] : [["given", objectOf(given)] as const]),
  ]);
}
