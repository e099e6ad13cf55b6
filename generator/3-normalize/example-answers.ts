import type { HttpAnswerModel, ProgramAnswerModel } from "../model/bodies.js";
import type { JsonValue } from "../model/json.js";
import type { ManifestExecExample, ManifestHttpExample } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";

/** The upstream's answer in an example. */
export function normalizeAnswer(answer: ManifestHttpExample): HttpAnswerModel {
  return {
    status: answer.status ?? 200,
    headers: answer.headers ?? {},
    ...pickDefined(answer as { body?: JsonValue; text?: string }, ["body", "text"]),
  };
}

/** The program's output and exit status in an example. */
export function normalizeProgramAnswer(answer: ManifestExecExample): ProgramAnswerModel {
  const { stdout = "", stderr = "", status = 0 } = answer;
  return { stdout, stderr, status };
}
