import {
  nearPlaceholder,
  sectionNotOpen,
  sectionsTooDeep,
  sectionUnclosed,
  unknownPlaceholder,
  unusedArgument,
} from "../../model/catalogue/rules-items.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { ownValue } from "../../schema/json-schema.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { nearestName } from "../../text/nearest-name.js";
import { questionValues } from "../../text/question-values.js";
import { parseTextTemplate, type TextTemplateProblem } from "../../text/text-template.js";
import { inputProperties } from "../input-properties.js";
import { itemsOf, mappingIn, mappingsIn, rootOf, textIn, type Mapping } from "../manifest-view.js";
import { placeInText } from "../source-text.js";
import { quoted } from "../../text/value-words.js";
import { elicitationsOf } from "./elicitations.js";

/** Problems that are reported of one text; finding their places takes time linear in the text. */
const MOST_PROBLEMS = 100;

/** Placeholders in the messages of a prompt name its arguments, and each argument is named. */
export function checkPromptText(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "prompts").flatMap((prompt) => {
    const arguments_ = mappingsIn(prompt, "arguments");
    const names = new Set(arguments_.flatMap(({ value }) => textIn(value, "name") ?? []));
    const blocks = mappingsIn(prompt, "messages").flatMap(
      (message) => mappingIn(message, "content") ?? [],
    );
    const texts = blocks.flatMap(({ value }) => textIn(value, "text") ?? []);
    const found = blocks.flatMap((block) => checkBlock(manifest, block, names, "the prompt"));
    // Another name may stand in for the one that is missing.
    if (found.length > 0 || blocks.length === 0) return found;
    return unusedArguments(manifest, arguments_, texts);
  });
}

/** Arguments that are in no text of the messages. */
function unusedArguments(
  manifest: LoadedManifest,
  arguments_: readonly Mapping[],
  texts: readonly string[],
): Diagnostic[] {
  const named = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\{[#^]?([^{}]+)\}/g)].map(([, name = ""]) => name.trim()),
    ),
  );
  return arguments_.flatMap(({ path, value }) => {
    const name = textIn(value, "name");
    if (name === undefined || named.has(name)) return [];
    return [unusedArgument(manifest.locate([...path, "name"], "value"), { name })];
  });
}

/** Placeholders in the fixed content of a tool name properties of its input schema. */
export function checkToolText(manifest: LoadedManifest): Diagnostic[] {
  const shared = mappingIn(rootOf(manifest), "schemas")?.value ?? {};
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const blocks = mappingsIn(tool, "content");
    if (blocks.length === 0) return [];
    const names = new Set(inputProperties(ownValue(tool.value, "inputSchema"), shared).keys());
    return blocks.flatMap((block) => checkBlock(manifest, block, names, "the tool"));
  });
}

/** Placeholders in the texts of a question may have any name that a handler can write. */
export function checkQuestionText(manifest: LoadedManifest): Diagnostic[] {
  return elicitationsOf(manifest).flatMap(({ path, value }) =>
    ["message", "url"].flatMap((key) => {
      const text = textIn(value, key);
      if (text === undefined) return [];
      const names = new Set(questionValues([withoutSpaces(text)]).map(({ name }) => name));
      return checkText(manifest, [...path, key], text, names, "the question");
    }),
  );
}

/** What was meant by `{{ name }}`. */
function withoutSpaces(text: string): string {
  return text.replace(/\{\{ {1,8}([A-Za-z_]\w{0,63}) {1,8}\}\}/g, "{{$1}}");
}

function checkBlock(
  manifest: LoadedManifest,
  { path, value }: Mapping,
  names: ReadonlySet<string>,
  what: string,
): Diagnostic[] {
  const text = textIn(value, "text");
  if (text === undefined || value["type"] !== "text") return [];
  return checkText(manifest, [...path, "text"], text, names, what);
}

/** @param what has the text, in the message: `the tool` */
export function checkText(
  manifest: LoadedManifest,
  path: ManifestPath,
  text: string,
  names: ReadonlySet<string>,
  what: string,
): Diagnostic[] {
  const { problems: found } = parseTextTemplate(text, names);
  const problems = [...found, ...otherPlaceholders(text, names)];
  return problems.slice(0, MOST_PROBLEMS).map((problem) => {
    const { offset, length } = problem;
    const place = placeInText(manifest, path, text, offset, length);
    return diagnosticOf(problem, place, text, names, what);
  });
}

/** The names that there are, as a part of a diagnostic; empty where there are many or none. */
function knownNames(names: ReadonlySet<string>): { known?: string } {
  return names.size === 0 || names.size > 5 ? {} : { known: [...names].map(quoted).join(", ") };
}

/** Names in the braces of other notations: `{name}`, `${name}`. */
function otherPlaceholders(text: string, names: ReadonlySet<string>): TextTemplateProblem[] {
  return [...text.matchAll(/(?<!\{)\$?\{([^{}]+)\}(?!\})/g)].flatMap(
    ({ 0: { length }, 1: name = "", index: offset }) =>
      names.has(name) ? [{ kind: "near miss", name, offset, length }] : [],
  );
}

function diagnosticOf(
  { kind, name, offset, length }: TextTemplateProblem,
  place: ReturnType<typeof placeInText>,
  text: string,
  names: ReadonlySet<string>,
  what: string,
): Diagnostic {
  switch (kind) {
    case "unknown name": {
      // Other notations have a word before the name: `input.city`.
      const last = name.split(".").at(-1) ?? "";
      const nearest = names.has(last) ? last : nearestName(name, names);
      return unknownPlaceholder(place, {
        found: quoted(name),
        what,
        ...(nearest === undefined ? knownNames(names) : { nearest }),
      });
    }
    case "unclosed section":
      return sectionUnclosed(place, { name });
    case "section not open":
      return sectionNotOpen(place, { name });
    case "sections too deep":
      return sectionsTooDeep(place, {});
    case "near miss":
      return nearPlaceholder(place, { found: quoted(text.slice(offset, offset + length)), name });
  }
}
