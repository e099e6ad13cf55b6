import type { CommandPart, ExecBodyModel, ProgramAnswerModel } from "../../model/bodies.js";
import type { ManifestExecBody, ManifestExecExample } from "../../model/manifest.js";
import { pickDefined } from "../pick.js";
import { textValue } from "./values.js";

/** The model of an `exec` body. @param arguments_ the names of all arguments */
export function normalizeExec(
  { command, env = {}, stdin, output = "text", trusted = [], ...settings }: ManifestExecBody,
  arguments_: Iterable<string>,
): ExecBodyModel {
  const names: ReadonlySet<string> = new Set(arguments_);
  return {
    kind: "exec",
    command: command.map((text) => textValue(text, names) as CommandPart),
    env: Object.entries(env),
    ...(stdin !== undefined && { stdin: textValue(stdin, names) }),
    ...pickDefined(settings, ["cwd", "timeoutMs", "maxBytes", "okStatus"]),
    trusted,
    output,
  };
}

/** The program's output and exit status in an example. */
export function normalizeProgramAnswer(answer: ManifestExecExample): ProgramAnswerModel {
  const { stdout = "", stderr = "", status = 0 } = answer;
  return { stdout, stderr, status };
}
