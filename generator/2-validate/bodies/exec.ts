import {
  outputMisfit,
  unusedProgramArgument,
  uselessTrust,
} from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { argumentsIn, insertedArguments } from "../../text/template-arguments.js";
import { nearestName } from "../../text/nearest-name.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { quoted } from "../../text/value-words.js";
import { entriesIn, listIn, textIn } from "../manifest-view.js";
import { checkPlaceholders } from "../rules/placeholders.js";
import { itemsWithBody, type BodyItem } from "./body-item.js";
import { commandProblems } from "./exec-command.js";
import { excludesType } from "../../schema/keyword-values.js";
import { fixedSettingProblems } from "../rules/fixed-settings.js";
import { answerConflicts } from "./answer-conflicts.js";
import { strictProblems } from "./strict-bodies.js";

/** Checks `exec` bodies: the program, its arguments, its settings and its output. */
export function checkExecBodies(manifest: LoadedManifest): Diagnostic[] {
  return itemsWithBody(manifest, "exec").flatMap((item) => {
    const problems = [...commandProblems(manifest, item), ...stdinProblems(manifest, item)];
    const isList = Array.isArray(ownValue(item.body.value, "command"));
    return [
      ...answerConflicts(manifest, item, "exec"),
      ...strictProblems(manifest, item),
      ...problems,
      // An argument may only seem unused: its name may be misspelt in the command, or the command be no list.
      ...(problems.length > 0 || !isList ? [] : useProblems(manifest, item)),
      ...settingProblems(manifest, item),
      ...outputProblems(manifest, item),
    ];
  });
}

function stdinProblems(manifest: LoadedManifest, { body, names, what }: BodyItem): Diagnostic[] {
  const stdin = textIn(body.value, "stdin");
  if (stdin === undefined) return [];
  return checkPlaceholders(manifest, [...body.path, "stdin"], stdin, names, what);
}

/** Reports arguments that the program does not get, and trust in others than those that it gets. */
function useProblems(manifest: LoadedManifest, { body, names }: BodyItem): Diagnostic[] {
  const texts = [...listIn(body.value, "command"), textIn(body.value, "stdin") ?? ""];
  const templates = texts.map((text) => parseTextTemplate(String(text), names).template);
  const used = new Set(templates.flatMap(argumentsIn));
  const inserted = new Set(templates.flatMap(insertedArguments));
  const place = manifest.locate([...body.path, "command"], "key");
  return [
    ...[...names]
      .filter((name) => !used.has(name))
      .map((name) => unusedProgramArgument(place, { name })),
    ...listIn(body.value, "trusted").flatMap((name, index) => {
      if (typeof name !== "string" || inserted.has(name)) return [];
      const isArgument = names.has(name);
      const nearest = isArgument ? undefined : nearestName(name, names);
      const at = manifest.locate([...body.path, "trusted", index], "value");
      return [uselessTrust(at, { name: quoted(name), isArgument, ...(nearest && { nearest }) })];
    }),
  ];
}

/** Checks the working folder and the environment, which have no placeholders. */
function settingProblems(manifest: LoadedManifest, { body, names }: BodyItem): Diagnostic[] {
  const cwd = ownValue(body.value, "cwd");
  return [
    ...fixedSettingProblems(manifest, cwd, [...body.path, "cwd"], names),
    ...entriesIn(body, "env").flatMap(([, value, path]) =>
      fixedSettingProblems(manifest, value, path, names),
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
  if (excludesType(schema, type)) return misfit(`${words}, which the outputSchema refuses`);
  const items = ownValue(schema, "items");
  const isRefused = type === "array" && isJsonObject(items) && excludesType(items, "string");
  return isRefused ? misfit("each line is a text, which the outputSchema refuses") : [];
}
