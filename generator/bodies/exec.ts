import type { CommandPart, ExecBodyModel } from "../model/bodies.js";
import type { ManifestExecBody } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";
import { defineRule } from "../model/semantic-rule.js";
import { comparisonOfKeys } from "./comparison.js";
import type { BodyDefinition, BodyOwner } from "./definition.js";
import { textValue } from "./values.js";

export const commandChanged = defineRule<{ key: string }>({
  id: "command-changed",
  severity: "warning",
  message: ({ key }) => `the ${key} of the program has changed`,
});

/** `exec`: a program. */
export const exec: BodyDefinition<ExecBodyModel, ManifestExecBody> = {
  words: "a program of the manifest",
  isSource: false,
  needs: "programs",
  folder: "cwd",
  starter: "exec of a program",
  read: readProgram,
  writing: () => ({ words: "`exec` runs a program" }),
  rules: [commandChanged.rule],
  compare: comparisonOfKeys(["command", "cwd", "env", "stdin"], commandChanged),
};

function readProgram(
  { command, env = {}, stdin, output = "text", trusted = [], ...settings }: ManifestExecBody,
  owner: BodyOwner,
): ExecBodyModel {
  const names: ReadonlySet<string> = new Set(owner.arguments);
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
