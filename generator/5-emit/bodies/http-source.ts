import type { HttpBodyModel } from "../../model/bodies.js";
import { isOfCaller } from "../../text/caller-placeholders.js";
import { callOf, sequenceOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { callerArguments, callerStatements } from "./caller-values.js";
import {
  argumentsOfBody,
  exactValueCode,
  mappedErrors,
  partsOfAnswer,
  requestStatement,
} from "./http-code.js";
import {
  completionCode,
  identifierOf,
  listCode,
  type ArgumentsByName,
  type BodySource,
  type SourceStatements,
} from "./source-code.js";
import { ValueWriter } from "./value-writer.js";

/** How an `http` body finds values: in the answer to its request. */
export const httpSource: BodySource<HttpBodyModel> = {
  completion: (name, body, constant) =>
    completionCode(
      name,
      constant,
      { used: argumentsOfBody(body), present: namesInPath(body) },
      (byName) => requestForValues(name, body, byName),
    ),
  list: (template, body) => {
    const { pages, result } = body;
    const values = exactValueCode(pages === undefined ? result.from : undefined, result.fields);
    return listCode(template, requestCode(body, new Map()), values);
  },
};

/** The arguments in the path. The code sends no request unless each of them has a value. */
function namesInPath({ path }: HttpBodyModel): string[] {
  const names = path.flatMap((part) => (typeof part === "string" ? [] : [part.argument]));
  return [...new Set(names)].filter((name) => !isOfCaller(name));
}

function requestCode(body: HttpBodyModel, byName: ArgumentsByName): SourceStatements {
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
function requestForValues(
  name: string,
  body: HttpBodyModel,
  byName: ArgumentsByName,
): SourceStatements {
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
