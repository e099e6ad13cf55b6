import { placeholderType } from "../../model/catalogue/bodies.js";
import {
  emptyPart,
  optionArgument,
  programForm,
  scriptArgument,
} from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import type { TextTemplate } from "../../model/text-template.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { listIn } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";
import { checkText } from "../rules/placeholders.js";
import type { BodyItem } from "./body-item.js";
import {
  isInterpreter,
  isRunner,
  readerOfCode,
  scriptItems,
  type FixedItem,
} from "./exec-scripts.js";
import { mayBeginWithHyphen } from "./leading-hyphen.js";

/** An item of a command. */
interface CommandItem {
  readonly text: string;
  readonly path: ManifestPath;
  readonly template: TextTemplate;
  /** The text, where no placeholder is in it. */
  readonly fixed: FixedItem;
}

/** Problems of a command: which program runs, and what callers put into its arguments. */
export function commandProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const items = commandItems(item);
  const texts = items.flatMap(({ path, text }) =>
    checkText(manifest, path, text, item.names, item.what),
  );
  return [
    ...texts,
    ...programProblems(manifest, item, items),
    ...runProgramProblems(manifest, item, items),
    ...scriptProblems(manifest, items),
    ...items.slice(1).flatMap((one) => typeProblems(manifest, item, one)),
    ...optionProblems(manifest, item, items),
    ...items.slice(1).flatMap((one) => absenceProblems(manifest, item, one)),
  ];
}

function commandItems({ body, names }: BodyItem): CommandItem[] {
  return listIn(body.value, "command").flatMap((text, index) => {
    if (typeof text !== "string") return [];
    const { template } = parseTextTemplate(text, names);
    const isFixed = template.every((part) => typeof part === "string");
    const fixed = isFixed ? template.join("") : undefined;
    return [{ text, path: [...body.path, "command", index], template, fixed }];
  });
}

/** The arguments that a text depends on. */
export function argumentsIn(template: TextTemplate): string[] {
  return template.flatMap((part) => {
    if (typeof part === "string") return [];
    if ("argument" in part) return [part.argument];
    return ["when" in part ? part.when : part.unless, ...argumentsIn(part.then)];
  });
}

/** The argument that an item is nothing but; undefined for any other. */
function onlyArgument([first, ...rest]: TextTemplate): string | undefined {
  const isAlone = typeof first === "object" && "argument" in first && rest.length === 0;
  return isAlone ? first.argument : undefined;
}

function programProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  [program, ...others]: readonly CommandItem[],
): Diagnostic[] {
  if (program === undefined) return [];
  const problem =
    program.fixed === undefined
      ? chosenProgramProblem(item, program.template, others)
      : fixedProgramProblem(program.fixed);
  return problem === undefined
    ? []
    : [programForm(manifest.locate(program.path, "value"), { problem })];
}

function fixedProgramProblem(program: string): string | undefined {
  if (program.trim() === "") return "has no name";
  const isLine = /\s/.test(program) && !/[/\\]/.test(program);
  return isLine ? "has spaces: each word of a line is an item of its own" : undefined;
}

/** The programs that a caller chooses among are those of an `enum`. */
function chosenProgramProblem(
  item: BodyItem,
  template: TextTemplate,
  others: readonly CommandItem[],
): string | undefined {
  const name = onlyArgument(template);
  if (name === undefined) return "is put together from arguments";
  if (!item.names.has(name)) return undefined;
  const choices = item.schemaOf(name)?.["enum"];
  if (!Array.isArray(choices)) return `is the argument "${name}", which has no enum`;
  if (!item.isAlwaysPresent(name)) return `is the argument "${name}", which may be absent`;
  if (!choices.every((choice) => typeof choice === "string" && choice !== "")) {
    return `is the argument "${name}", whose enum has something else than names`;
  }
  const interpreter = choices.find((choice) => isInterpreter(String(choice)));
  const takesMore = others.some(({ fixed }) => fixed === undefined);
  return interpreter !== undefined && takesMore
    ? `may be ${String(interpreter)}, which would run what other arguments say`
    : undefined;
}

/** What a program such as `env` runs is fixed as the program itself is. */
function runProgramProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  items: readonly CommandItem[],
): Diagnostic[] {
  const runner = items[0]?.fixed;
  if (!isRunner(runner)) return [];
  const index = items.findIndex(({ fixed }) => fixed !== undefined && !isBeforeProgram(fixed));
  const others = items.slice(1, index < 1 ? undefined : index);
  return others.flatMap(({ template, path }, at) => {
    const name = onlyArgument(template);
    const before = items[at]?.fixed;
    const isValueOfOption = at > 0 && before !== undefined && /^-[^-]|^--./.test(before);
    if (name === undefined || isValueOfOption || !item.names.has(name)) return [];
    if (Array.isArray(item.schemaOf(name)?.["enum"])) return [];
    const problem = `that ${String(runner)} runs is the argument "${name}", which has no enum`;
    return [programForm(manifest.locate(path, "value"), { problem })];
  });
}

/** Options, variables and times, which stand before the program that another one runs. */
const isBeforeProgram = (item: string): boolean =>
  isRunner(item) || /^(?:-.*|\w+=.*|[0-9.]+[smhd]?)$/s.test(item);

/** What a shell or an interpreter without a script reads is code. */
export function inputProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { body, names } = item;
  const program = readerOfCode(commandItems(item).map(({ fixed }) => fixed));
  const stdin = body.value["stdin"];
  if (program === undefined || typeof stdin !== "string") return [];
  const [name] = argumentsIn(parseTextTemplate(stdin, names).template);
  if (name === undefined) return [];
  return [scriptArgument(manifest.locate([...body.path, "stdin"], "value"), { name, program })];
}

function scriptProblems(manifest: LoadedManifest, items: readonly CommandItem[]): Diagnostic[] {
  const fixed = items.map((item) => item.fixed);
  const beginnings = items.map(({ template: [first] }) => (typeof first === "string" ? first : ""));
  const { program = "", indexes = [] } = scriptItems(fixed, beginnings) ?? {};
  return indexes.flatMap((index) => {
    const { template, path } = items[index] ?? { template: [], path: [] };
    return argumentsIn(template)
      .slice(0, 1)
      .map((name) => scriptArgument(manifest.locate(path, "value"), { name, program }));
  });
}

const WHERE = "in an argument of a program";

/** Objects are no arguments, and a list is only several where the item is nothing else. */
function typeProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { template, path }: CommandItem,
): Diagnostic[] {
  const only = onlyArgument(template);
  const refused = only === undefined ? ["array", "object"] : ["object"];
  return shownArguments(template).flatMap((name) => {
    const types = item.typesOf(name).filter((type) => type !== "null");
    const wrong = types.filter((type) => refused.includes(type));
    if (wrong.length === 0) return [];
    const found = wrong.includes("object") ? "an object" : "a list";
    return [placeholderType(manifest.locate(path, "value"), { name, found, where: WHERE })];
  });
}

/** The arguments whose values are a part of a text. */
function shownArguments(template: TextTemplate): string[] {
  return template.flatMap((part) => {
    if (typeof part === "string") return [];
    return "argument" in part ? [part.argument] : shownArguments(part.then);
  });
}

/** Behind `--`, a program takes nothing for an option. */
function optionProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  items: readonly CommandItem[],
): Diagnostic[] {
  const marks = endMarks(items);
  const end = items.findIndex(({ fixed }, index) => index > 0 && marks.includes(fixed ?? ""));
  const before = end === -1 ? items.slice(1) : items.slice(1, end);
  return before.flatMap(({ template, path }) => {
    const place = manifest.locate(path, "value");
    const option = chosenOption(item, template);
    if (option !== undefined) return [optionArgument(place, { name: option, isOption: true })];
    const name = leadingArguments(template).arguments.find((one) => {
      return item.names.has(one) && mayBeginWithHyphen(item.schemaOf(one));
    });
    return name === undefined ? [] : [optionArgument(place, { name, end: marks[0] ?? "--" })];
  });
}

/** What a program takes for the end of its options. Behind `--`, git expects paths and no revisions. */
function endMarks([program]: readonly CommandItem[]): string[] {
  return /(?:^|\/)git$/.test(program?.fixed ?? "") ? ["--end-of-options", "--"] : ["--"];
}

/** What is left of an item where an argument in it is absent: an item that is nothing else is left out. */
function absenceProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { template, path, text }: CommandItem,
): Diagnostic[] {
  if (onlyArgument(template) !== undefined) return [];
  const name = template
    .flatMap((part) => (typeof part === "object" && "argument" in part ? [part.argument] : []))
    .find((one) => item.names.has(one) && !item.isAlwaysPresent(one));
  if (name === undefined) return [];
  const left = text.replaceAll(`{{${name}}}`, "");
  return [emptyPart(manifest.locate(path, "value"), { name, text: quoted(left) })];
}

/** The argument that says which option a text such as `-{{name}}` is, where it may be any; a number is none. */
function chosenOption(item: BodyItem, [first, second]: TextTemplate): string | undefined {
  const isHyphen = typeof first === "string" && /^--?$/.test(first);
  const name = isHyphen && typeof second === "object" && "argument" in second && second.argument;
  if (name === false || name === undefined || !item.names.has(name)) return undefined;
  const { enum: choices, const: only } = item.schemaOf(name) ?? {};
  const isText = item.typesOf(name).some((type) => type === "string");
  return isText && choices === undefined && only === undefined ? name : undefined;
}

/** The arguments that a filled text may begin with, and whether something fixed follows them. */
function leadingArguments(template: TextTemplate): { arguments: string[]; isEnded: boolean } {
  const found: string[] = [];
  for (const part of template) {
    if (typeof part === "string") return { arguments: found, isEnded: true };
    // What an argument or a section leaves empty, the next one begins.
    if ("argument" in part) found.push(part.argument);
    else found.push(...leadingArguments(part.then).arguments);
  }
  return { arguments: found, isEnded: false };
}
