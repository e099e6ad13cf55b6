import { outputMisfit, unusedProgramArgument } from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { entriesIn, listIn, textIn } from "../manifest-view.js";
import { checkText } from "../rules/placeholders.js";
import { itemsWithBody, type BodyItem } from "./body-item.js";
import { argumentsIn, commandProblems, inputProblems } from "./exec-command.js";
import { settingProblem } from "./fixed-settings.js";
import { otherAnswers } from "./other-answers.js";

/** Bodies that run programs: which, with what, and what can come of their output. */
export function checkExecBodies(manifest: LoadedManifest): Diagnostic[] {
  return itemsWithBody(manifest, "exec").flatMap((item) => {
    const problems = [
      ...commandProblems(manifest, item),
      ...stdinProblems(manifest, item),
      ...inputProblems(manifest, item),
    ];
    return [
      ...otherAnswers(manifest, item, "exec"),
      ...problems,
      // Another name may stand in for the one that is missing.
      ...(problems.length > 0 ? [] : unusedArguments(manifest, item)),
      ...settingProblems(manifest, item),
      ...outputProblems(manifest, item),
    ];
  });
}

function stdinProblems(manifest: LoadedManifest, { body, names, what }: BodyItem): Diagnostic[] {
  const stdin = textIn(body.value, "stdin");
  if (stdin === undefined) return [];
  return checkText(manifest, [...body.path, "stdin"], stdin, names, what);
}

function unusedArguments(manifest: LoadedManifest, { body, names }: BodyItem): Diagnostic[] {
  const texts = [...listIn(body.value, "command"), textIn(body.value, "stdin") ?? ""];
  const used = new Set(
    texts.flatMap((text) => argumentsIn(parseTextTemplate(String(text), names).template)),
  );
  const place = manifest.locate([...body.path, "command"], "key");
  return [...names]
    .filter((name) => !used.has(name))
    .map((name) => unusedProgramArgument(place, { name }));
}

/** The folder and the environment, which no argument changes. */
function settingProblems(manifest: LoadedManifest, { body, names }: BodyItem): Diagnostic[] {
  const cwd = ownValue(body.value, "cwd");
  return [
    ...settingProblem(manifest, cwd, [...body.path, "cwd"], names),
    ...entriesIn(body, "env").flatMap(([, value, path]) =>
      settingProblem(manifest, value, path, names),
    ),
  ];
}

const OUTPUT_TYPES: Readonly<Record<string, readonly [type: string, words: string]>> = {
  text: ["string", "the output of a program is a text"],
  lines: ["array", "the lines of an output are a list"],
};

function outputProblems(manifest: LoadedManifest, { item, body }: BodyItem): Diagnostic[] {
  const schema = ownValue(item.value, "outputSchema");
  const [type, words] = OUTPUT_TYPES[textIn(body.value, "output") ?? "text"] ?? [];
  if (!isJsonObject(schema) || type === undefined) return [];
  const place = manifest.locate([...item.path, "outputSchema"], "key");
  const misfit = (problem: string): Diagnostic[] => [outputMisfit(place, { problem })];
  if (excludes(schema, type)) return misfit(`${words}, which the outputSchema refuses`);
  const items = ownValue(schema, "items");
  const isRefused = type === "array" && isJsonObject(items) && excludes(items, "string");
  return isRefused ? misfit("each line is a text, which the outputSchema refuses") : [];
}

function excludes(schema: JsonObject, type: string): boolean {
  const types = [schema["type"] ?? []].flat();
  return types.length > 0 && !types.includes(type);
}
