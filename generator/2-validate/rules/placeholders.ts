import {
  nearPlaceholder,
  sectionNotOpen,
  sectionsTooDeep,
  sectionUnclosed,
  unknownPlaceholder,
  unusedArgument,
} from "../../model/catalogue/rules-items.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { nearestName } from "../../text/nearest-name.js";
import { questionValues } from "../../text/question-values.js";
import { parseTextTemplate, type TextTemplateProblem } from "../../text/text-template.js";
import { inputProperties } from "../../schema/input-properties.js";
import {
  has,
  itemsOf,
  listIn,
  mappingIn,
  mappingsIn,
  promptArguments,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";
import { placeInText } from "../source-text.js";
import { quoted } from "../../text/value-words.js";
import { elicitationsOf } from "./elicitations.js";

/** The most problems that are reported of one text. To find the place of each takes time linear in the text. */
export const MOST_PROBLEMS = 100;

/** Checks that placeholders in a prompt's messages name arguments, and that each argument is used. */
export function checkPromptText(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "prompts").flatMap((prompt) => {
    const arguments_ = promptArguments(prompt);
    if (arguments_ === undefined) return [];
    const names = new Set(arguments_.flatMap(({ value }) => textIn(value, "name") ?? []));
    const blocks = mappingsIn(prompt, "messages").flatMap(
      (message) => mappingIn(message, "content") ?? [],
    );
    const texts = blocks.flatMap(({ value }) => textIn(value, "text") ?? []);
    const problems = blocks.flatMap((block) => checkBlock(manifest, block, names, "the prompt"));
    // An unknown name may be the misspelt name of an argument that seems unused.
    if (problems.length > 0 || blocks.length === 0) return problems;
    return unusedArguments(manifest, arguments_, texts);
  });
}

/** Reports arguments that no text of the messages uses. */
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

/** Checks that placeholders in the fixed content of a tool name properties of its input schema. */
export function checkToolText(manifest: LoadedManifest): Diagnostic[] {
  const shared = mappingIn(rootOf(manifest), "schemas")?.value ?? {};
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const blocks = mappingsIn(tool, "content");
    if (blocks.length === 0) return [];
    const names = new Set(inputProperties(ownValue(tool.value, "inputSchema"), shared).keys());
    return blocks.flatMap((block) => checkBlock(manifest, block, names, "the tool"));
  });
}

/** Checks placeholders in the texts of a question. They may have any name that a handler can write. */
export function checkQuestionText(manifest: LoadedManifest): Diagnostic[] {
  return elicitationsOf(manifest).flatMap(({ path, value }) =>
    ["message", "url"].flatMap((key) => {
      const text = textIn(value, key);
      if (text === undefined) return [];
      const at = [...path, key];
      const names = new Set(questionValues([withoutSpaces(text)]).map(({ name }) => name));
      const others = argumentsBeside(manifest, path).filter((name) => !names.has(name));
      return [
        ...checkPlaceholders(manifest, at, text, names, "the question"),
        // Only the notation of an argument's name is certain to be no text.
        ...otherPlaceholders(text, new Set(others))
          .slice(0, MOST_PROBLEMS)
          .map(({ name, offset, length }) =>
            nearMiss(manifest, at, text, {
              found: text.slice(offset, offset + length),
              name,
              offset,
            }),
          ),
      ];
    }),
  );
}

/** The arguments of the tool that asks a question. */
function argumentsBeside(manifest: LoadedManifest, [list, index]: ManifestPath): string[] {
  const item = list === "tools" ? listIn(manifest.value, list)[Number(index)] : undefined;
  if (!isJsonObject(item ?? null)) return [];
  const shared = mappingIn(rootOf(manifest), "schemas")?.value ?? {};
  return [...inputProperties(ownValue(item as JsonObject, "inputSchema"), shared).keys()];
}

/** Checks that the question whether a tool may run names arguments of the tool. */
export function checkConfirmText(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap(({ path, value }, index) => {
    const text = textIn(value, "confirm");
    if (text === undefined) return [];
    const names = new Set(argumentsBeside(manifest, ["tools", index]));
    return checkPlaceholders(manifest, [...path, "confirm"], text, names, "the tool");
  });
}

/** Removes the spaces of `{{ name }}`, so that the name counts as known and the spaces are reported. */
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
  return checkPlaceholders(manifest, [...path, "text"], text, names, what);
}

/**
 * Checks the placeholders of a text.
 *
 * @param names the names that are allowed in placeholders
 * @param what the words for the owner of the names in messages: `the tool`
 */
export function checkPlaceholders(
  manifest: LoadedManifest,
  path: ManifestPath,
  text: string,
  names: ReadonlySet<string>,
  what: string,
): Diagnostic[] {
  const template = parseTextTemplate(text, names);
  const problems = [...template.problems, ...otherPlaceholders(text, names)];
  return problems.slice(0, MOST_PROBLEMS).map((problem) => {
    const { offset, length } = problem;
    const place = placeInText(manifest, path, text, offset, length);
    return diagnosticOf(problem, place, text, { names, what, ...meantVariable(manifest, problem) });
  });
}

/** The declared variable of the server whose name a placeholder has. */
function meantVariable(
  manifest: LoadedManifest,
  { name }: TextTemplateProblem,
): { variable?: string } {
  const declared = mappingIn(rootOf(manifest), "env")?.value ?? {};
  const [, variable = ""] = /^(?:\$?(?:process\.)?env[.:])?(\w+)$/.exec(name) ?? [];
  return has(declared, variable) ? { variable } : {};
}

/** The allowed names, as a parameter of a diagnostic. Empty if there are none, or more than five. */
function allowedNames(names: ReadonlySet<string>): { known?: string } {
  return names.size === 0 || names.size > 5 ? {} : { known: [...names].map(quoted).join(", ") };
}

/** Warns of an argument in a notation of other formats: that part of the text stays as it is. */
export function nearMiss(
  manifest: LoadedManifest,
  path: ManifestPath,
  text: string,
  { found, name, offset }: { found: string; name: string; offset: number },
): Diagnostic {
  const place = placeInText(manifest, path, text, offset, found.length);
  return nearPlaceholder(place, { found: quoted(found), name });
}

/** Finds allowed names in the braces of other notations: `{name}`, `${name}`. */
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
  context: { names: ReadonlySet<string>; what: string; variable?: string },
): Diagnostic {
  const { names, ...parameters } = context;
  switch (kind) {
    case "unknown name": {
      // Other notations have a word before the name: `input.city`.
      const last = name.split(".").at(-1) ?? "";
      const nearest = names.has(last) ? last : nearestName(name, names);
      return unknownPlaceholder(place, {
        found: quoted(name),
        ...parameters,
        ...(nearest === undefined ? allowedNames(names) : { nearest }),
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
