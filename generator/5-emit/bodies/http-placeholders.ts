import { argumentsOf } from "../../bodies/values.js";
import type { HttpBodyModel } from "../../model/bodies.js";
import { CURSOR } from "../../selection/envelope.js";
import { argumentsIn } from "../../text/template-arguments.js";

/** The arguments that a body uses, and what it uses of its caller, with repetitions. */
export function placeholdersOfBody(body: HttpBodyModel): string[] {
  const { path, query, headers, cookies, content, errors, result, pages } = body;
  const values = [...query, ...headers, ...cookies].map(([, value]) => value);
  const contents =
    content === undefined
      ? []
      : "values" in content
        ? content.values.map(([, value]) => value)
        : [content.value];
  return [
    ...path.flatMap((part) => (typeof part === "string" ? [] : [part.argument])),
    ...[...values, ...contents].flatMap(argumentsOf),
    ...errors.flatMap(({ text, ofAnswer = [] }) =>
      argumentsIn(text).filter((name) => !ofAnswer.includes(name)),
    ),
    ...(result.noContent === undefined ? [] : argumentsOf(result.noContent)),
    ...(pages?.expose === true ? [CURSOR] : []),
  ];
}
