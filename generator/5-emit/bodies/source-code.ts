import {
  isSource,
  type HttpBodyModel,
  type SourceModel,
  type SqlBodyModel,
} from "../../model/bodies.js";
import type { PromptModel, ResourceTemplateModel } from "../../model/server-model.js";
import { callOf, functionOf, literalOf, objectOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { handlerModule } from "../modules/handler-files.js";
import type { Entry } from "../modules/item-settings.js";
import { namedArguments, type ArgumentFacts, type BodyArgument } from "./arguments.js";
import { directoryCompletionCode, directoryListCode } from "./directory.js";
import { argumentsOfBody, exactValueCode, mappedErrors, requestStatement } from "./http.js";
import { argumentsOfStatement, queryStatement } from "./sql.js";
import { ValueWriter } from "./values.js";

/** A function that finds values, and what its module imports for it, beside types. */
export interface SourceCode {
  readonly imports: readonly string[];
  readonly code: Code;
}

/** An item whose arguments or variables may be completed. */
export type CompletedItem = PromptModel | ResourceTemplateModel;

/** The sources of the arguments and variables that bodies complete. */
export function completionSources(item: CompletedItem): [name: string, source: SourceModel][] {
  const arguable = item.kind === "prompt" ? item.arguments : item.variables;
  return arguable.flatMap(({ name, complete }): [string, SourceModel][] =>
    isSource(complete) ? [[name, complete]] : [],
  );
}

/** Path of the module with the bodies that complete an item, without extension, from `src/generated/`. */
export function completionModulePath(item: CompletedItem): string {
  return `bodies/${handlerModule(item)}.complete`;
}

/** Path of the module with the body that lists a template's instances, from `src/generated/`. */
export function listModulePath(item: ResourceTemplateModel): string {
  return `bodies/${handlerModule(item)}.list`;
}

/**
 * The function that finds values for an argument or a variable.
 *
 * @param constant the name of the constant that holds it
 */
export function completionFunction(name: string, body: SourceModel, constant: string): SourceCode {
  if (body.kind === "directory") return { imports: [], code: directoryCompletionCode(body) };
  const steps = body.kind === "http" ? namesInPath(body) : [];
  const used = [...new Set([name, ...argumentsOf(body)])];
  const others = [constant, "found", "values"];
  const byName = namedArguments(others, completionFacts(name, steps), used);
  const { imports, statements } =
    body.kind === "http"
      ? requestForValues(name, body, byName)
      : { imports: [], statements: [...statementCode(body, byName), "return answer.values();"] };
  const unknown = steps.map((step) => `!${identifierOf(step, byName)}`).join(" || ");
  const checks = steps.length === 0 ? [] : [`if (${unknown}) return [];`];
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
  const instances = (found: Code): Code =>
    sequenceOf(["return ", callOf("instancesOf", [found, names]), ";"]);
  if (body.kind === "sql") {
    const statements = [...statementCode(body, byName), instances("answer.rows()")];
    return { imports: ["instancesOf"], code: functionOf("async (ctx)", statements) };
  }
  const { pages, result } = body;
  const { imports, statements } = requestCode(body, byName);
  const found = exactValueCode(pages === undefined ? result.from : undefined, result.fields);
  return {
    imports: [...imports, "instancesOf"],
    code: functionOf("async (ctx)", [...statements, instances(found)]),
  };
}

function argumentsOf(body: HttpBodyModel | SqlBodyModel): string[] {
  return body.kind === "http" ? argumentsOfBody(body) : argumentsOfStatement(body);
}

/** The code sends no request without a value for each of these. */
function namesInPath({ path }: HttpBodyModel): string[] {
  const names = path.flatMap((part) => (typeof part === "string" ? [] : [part.argument]));
  return [...new Set(names)];
}

/** The typed text is always present, if only empty. The values of other arguments may be absent. */
function completionFacts(typed: string, inPath: readonly string[]) {
  return (name: string): ArgumentFacts => {
    const isThere = name === typed || inPath.includes(name);
    return { isRequired: isThere, isPlainText: isThere };
  };
}

type ArgumentsByName = ReadonlyMap<string, BodyArgument>;

const identifierOf = (name: string, byName: ArgumentsByName): string =>
  byName.get(name)?.identifier ?? name;

/** `{ value: table, given: { database } }` */
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
  const named = used.map((name): Entry => [name, identifierOf(name, byName)]);
  return [queryStatement({ ...body, numbers: [] }, used, named)];
}

interface Request {
  readonly imports: readonly string[];
  readonly statements: readonly Code[];
}

function requestCode(body: HttpBodyModel, byName: ArgumentsByName): Request {
  const writer = new ValueWriter(byName);
  const statements = [requestStatement(body, writer), ...mappedErrors(body, writer)];
  return { imports: [...writer.imports], statements };
}

/** An upstream that does not get the typed text answers with all values, so the code filters them. */
function requestForValues(name: string, body: HttpBodyModel, byName: ArgumentsByName): Request {
  const { imports, statements } = requestCode(body, byName);
  const values = valuesCode(body);
  if (argumentsOfBody(body).includes(name)) {
    return { imports, statements: [...statements, sequenceOf(["return ", values, ";"])] };
  }
  const typed = identifierOf(name, byName);
  const isWanted = `found.toLowerCase().startsWith(${typed}.toLowerCase())`;
  return {
    imports,
    statements: [
      ...statements,
      sequenceOf(["const values = ", values, ";"]),
      `return values.filter((found) => ${isWanted});`,
    ],
  };
}

function valuesCode({ pages, result }: HttpBodyModel): Code {
  const from = pages === undefined ? result.from : undefined;
  const [field] = result.fields ?? [];
  if (from === undefined && field === undefined) return "answer.values()";
  const rest = field === undefined ? [] : [writeString(field)];
  return callOf("answer.values", [writeString(from ?? ""), ...rest]);
}
