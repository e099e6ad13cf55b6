import {
  isSource,
  type HttpBodyModel,
  type SourceModel,
  type SqlBodyModel,
} from "../../model/bodies.js";
import type { PromptModel, ResourceTemplateModel } from "../../model/server-model.js";
import { isOfCaller } from "../../text/caller-placeholders.js";
import { callOf, functionOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { handlerModule, parametersOf } from "../modules/handler-files.js";
import type { Entry } from "../modules/item-settings.js";
import { callerArguments, callerStatements, statementCallerCode } from "./caller-values.js";
import { namedArguments, type ArgumentFacts, type BodyArgument } from "./arguments.js";
import { directoryCompletionCode, directoryListCode } from "./directory.js";
import {
  argumentsOfBody,
  exactValueCode,
  mappedErrors,
  partsOfAnswer,
  requestStatement,
} from "./http.js";
import { argumentsOfStatement, queryStatement } from "./sql.js";
import { ValueWriter } from "./value-writer.js";

/** The code of a function that finds values, and the names that its module imports for it, except types. */
export interface SourceCode {
  readonly imports: readonly string[];
  readonly code: Code;
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

/**
 * The function that finds completions for an argument or a variable.
 *
 * @param constant name of the constant that holds the function
 */
export function completionFunction(name: string, body: SourceModel, constant: string): SourceCode {
  if (body.kind === "directory") return { imports: [], code: directoryCompletionCode(body) };
  const inPath = body.kind === "http" ? namesInPath(body) : [];
  const used = [...new Set([name, ...argumentsOf(body)])];
  const others = [constant, "caller", "found", "values"];
  const byName = namedArguments(others, completionFacts(name, inPath), used);
  const { imports, statements } =
    body.kind === "http"
      ? requestForValues(name, body, byName)
      : {
          imports: statementImports(body),
          statements: [...statementCode(body, byName), "return answer.values();"],
        };
  const missing = inPath.map((argument) => `!${identifierOf(argument, byName)}`).join(" || ");
  const checks = inPath.length === 0 ? [] : [`if (${missing}) return [];`];
  const parameters = callOf("async ", [queryParameter(name, byName), "ctx"]);
  return { imports, code: functionOf(parameters, [...checks, ...statements]) };
}

/** The function that lists the instances of a template. */
export function listFunction(template: ResourceTemplateModel, body: SourceModel): SourceCode {
  const { variables } = template;
  if (body.kind === "directory") {
    return { imports: [], code: directoryListCode(template, body) };
  }
  const byName: ArgumentsByName = new Map();
  const names = literalOf(variables.map(({ name }) => name));
  const instances = (values: Code): Code =>
    sequenceOf(["return ", callOf("instancesOf", [values, names]), ";"]);
  if (body.kind === "sql") {
    const statements = [...statementCode(body, byName), instances("answer.rows()")];
    const imports = [...statementImports(body), "instancesOf"];
    return { imports, code: functionOf("async (ctx)", statements) };
  }
  const { pages, result } = body;
  const { imports, statements } = requestCode(body, byName);
  const values = exactValueCode(pages === undefined ? result.from : undefined, result.fields);
  return {
    imports: [...imports, "instancesOf"],
    code: functionOf("async (ctx)", [...statements, instances(values)]),
  };
}

function argumentsOf(body: HttpBodyModel | SqlBodyModel): string[] {
  return body.kind === "http" ? argumentsOfBody(body) : argumentsOfStatement(body);
}

/** The arguments in the path. The code sends no request unless each of them has a value. */
function namesInPath({ path }: HttpBodyModel): string[] {
  const names = path.flatMap((part) => (typeof part === "string" ? [] : [part.argument]));
  return [...new Set(names)].filter((name) => !isOfCaller(name));
}

/** The typed text is always present, though it may be empty. Values of other arguments may be absent. */
function completionFacts(typed: string, inPath: readonly string[]) {
  return (name: string): ArgumentFacts => {
    const isPresent = name === typed || inPath.includes(name);
    return { isRequired: isPresent, isPlainText: isPresent };
  };
}

type ArgumentsByName = ReadonlyMap<string, BodyArgument>;

const identifierOf = (name: string, byName: ArgumentsByName): string =>
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

function statementCode(body: SqlBodyModel, byName: ArgumentsByName): Code[] {
  const used = [...new Set(argumentsOfStatement(body))];
  const values = used.map((name): Entry => [name, identifierOf(name, byName)]);
  return [...statementCallerCode(body), queryStatement({ ...body, numbers: [] }, values)];
}

function statementImports({ caller }: SqlBodyModel): string[] {
  return caller === undefined ? [] : ["callerOf"];
}

interface RequestCode {
  readonly imports: readonly string[];
  readonly statements: readonly Code[];
}

function requestCode(body: HttpBodyModel, byName: ArgumentsByName): RequestCode {
  const writer = new ValueWriter(
    new Map([...partsOfAnswer(body), ...byName, ...callerArguments(body)]),
  );
  const statements = [
    ...callerStatements(body, writer),
    requestStatement(body, writer),
    ...mappedErrors(body, writer),
  ];
  return { imports: [...writer.imports], statements };
}

/** Code that sends the request. If the upstream does not get the typed text, the code filters its values. */
function requestForValues(name: string, body: HttpBodyModel, byName: ArgumentsByName): RequestCode {
  const { imports, statements } = requestCode(body, byName);
  const values = valuesCode(body);
  if (argumentsOfBody(body).includes(name)) {
    return { imports, statements: [...statements, sequenceOf(["return ", values, ";"])] };
  }
  const typed = identifierOf(name, byName);
  const isMatch = `found.toLowerCase().startsWith(${typed}.toLowerCase())`;
  return {
    imports,
    statements: [
      ...statements,
      sequenceOf(["const values = ", values, ";"]),
      `return values.filter((found) => ${isMatch});`,
    ],
  };
}

function valuesCode({ pages, result }: HttpBodyModel): Code {
  const from = pages === undefined ? result.from : undefined;
  const [field] = result.fields ?? [];
  if (from === undefined && field === undefined) return "answer.values()";
  const pointer = writeString(from ?? "");
  return callOf("answer.values", field === undefined ? [pointer] : [pointer, writeString(field)]);
}
