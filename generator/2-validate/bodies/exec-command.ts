import { placeholderType } from "../../model/catalogue/bodies.js";
import {
  emptyPart,
  optionArgument,
  programForm,
  scriptArgument,
} from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { TextTemplate } from "../../model/text-template.js";
import { argumentsIn, insertedArguments } from "../../text/template-arguments.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { listIn } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";
import { checkPlaceholders } from "../rules/placeholders.js";
import type { BodyItem } from "./body-item.js";
import { isInterpreter, isRunner, readerOfCode, scriptItems } from "./exec-scripts.js";
import { fixedProgramProblems, shellWordProblems, type FixedCommandItem } from "./fixed-command.js";
import { mayBeginWithHyphen } from "./leading-hyphen.js";

/** An item of a command. What has a placeholder is not fixed. */
interface CommandItem extends FixedCommandItem {
  readonly text: string;
  readonly template: TextTemplate;
}

/** Checks a command: the program, and what callers can put into its arguments. */
export function commandProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const items = commandItems(item);
  const texts = items.flatMap(({ path, text }) =>
    checkPlaceholders(manifest, path, text, item.names, item.what),
  );
  return [
    ...texts,
    ...programProblems(manifest, item, items),
    ...nestedProgramProblems(manifest, item, items),
    ...scriptProblems(manifest, items),
    ...shellWordProblems(manifest, items, beginningsOf(items)),
    ...items.slice(1).flatMap((argument) => typeProblems(manifest, item, argument)),
    ...optionProblems(manifest, item, items),
    ...items.slice(1).flatMap((argument) => absenceProblems(manifest, item, argument)),
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

/** The argument of an item that is a single placeholder. Undefined for other items. */
function soleArgument([first, ...others]: TextTemplate): string | undefined {
  const isSole = typeof first === "object" && "argument" in first && others.length === 0;
  return isSole ? first.argument : undefined;
}

function programProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  [program, ...others]: readonly CommandItem[],
): Diagnostic[] {
  if (program === undefined) return [];
  if (program.fixed !== undefined) return fixedProgramProblems(manifest, program);
  const problem = chosenProgramProblem(item, program.template, others);
  return problem === undefined
    ? []
    : [programForm(manifest.locate(program.path, "value"), { problem })];
}

/** A caller may choose the program only among the values of an `enum`. */
function chosenProgramProblem(
  item: BodyItem,
  template: TextTemplate,
  others: readonly CommandItem[],
): string | undefined {
  const name = soleArgument(template);
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

/** The program that a program such as `env` runs must be fixed, or one of an `enum`, too. */
function nestedProgramProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  items: readonly CommandItem[],
): Diagnostic[] {
  const runner = items[0]?.fixed;
  if (!isRunner(runner)) return [];
  const index = items.findIndex(({ fixed }) => fixed !== undefined && !isBeforeProgram(fixed));
  const others = items.slice(1, index < 1 ? undefined : index);
  return others.flatMap(({ template, path }, at) => {
    const name = soleArgument(template);
    const before = items[at]?.fixed;
    const isValueOfOption = at > 0 && before !== undefined && /^-[^-]|^--./.test(before);
    if (name === undefined || isValueOfOption || !item.names.has(name)) return [];
    if (Array.isArray(item.schemaOf(name)?.["enum"])) return [];
    const problem = `that ${String(runner)} runs is the argument "${name}", which has no enum`;
    return [programForm(manifest.locate(path, "value"), { problem })];
  });
}

/** True for what may precede the program that another one runs: options, variables and times. */
const isBeforeProgram = (item: string): boolean =>
  isRunner(item) || /^(?:-.*|\w+=.*|[0-9.]+[smhd]?)$/s.test(item);

/** Reports placeholders in the stdin of a shell or an interpreter that reads it as code. */
export function codeInputProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { body, names } = item;
  const program = readerOfCode(commandItems(item).map(({ fixed }) => fixed));
  const stdin = body.value["stdin"];
  if (program === undefined || typeof stdin !== "string") return [];
  const [name] = argumentsIn(parseTextTemplate(stdin, names).template);
  if (name === undefined) return [];
  return [scriptArgument(manifest.locate([...body.path, "stdin"], "value"), { name, program })];
}

/** The fixed text with which each item begins. */
function beginningsOf(items: readonly CommandItem[]): string[] {
  return items.map(({ template: [first] }) => (typeof first === "string" ? first : ""));
}

function scriptProblems(manifest: LoadedManifest, items: readonly CommandItem[]): Diagnostic[] {
  const fixed = items.map((item) => item.fixed);
  const { program = "", indexes = [] } = scriptItems(fixed, beginningsOf(items)) ?? {};
  return indexes.flatMap((index) => {
    const { template, path } = items[index] ?? { template: [], path: [] };
    return argumentsIn(template)
      .slice(0, 1)
      .map((name) => scriptArgument(manifest.locate(path, "value"), { name, program }));
  });
}

const WHERE = "in an argument of a program";

/** Reports objects, and lists beside other text. A list that is the whole item becomes several arguments. */
function typeProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { template, path }: CommandItem,
): Diagnostic[] {
  const refused = soleArgument(template) === undefined ? ["array", "object"] : ["object"];
  return insertedArguments(template).flatMap((name) => {
    const types = item.typesOf(name).filter((type) => type !== "null");
    const wrong = types.filter((type) => refused.includes(type));
    if (wrong.length === 0) return [];
    const found = wrong.includes("object") ? "an object" : "a list";
    return [placeholderType(manifest.locate(path, "value"), { name, found, where: WHERE })];
  });
}

/** Reports values that the program may read as options, since no mark for the end of options precedes them. */
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
    const name = leadingArguments(template).find((leading) => {
      return item.names.has(leading) && mayBeginWithHyphen(item.schemaOf(leading));
    });
    return name === undefined ? [] : [optionArgument(place, { name, end: marks[0] ?? "--" })];
  });
}

/** The marks after which a program reads no options. After `--`, git expects paths, not revisions. */
function endMarks([program]: readonly CommandItem[]): string[] {
  return /(?:^|\/)git$/.test(program?.fixed ?? "") ? ["--end-of-options", "--"] : ["--"];
}

/** Reports text beside an argument that may be absent: the text would stay. An item that is the argument alone is omitted. */
function absenceProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { template, path, text }: CommandItem,
): Diagnostic[] {
  if (soleArgument(template) !== undefined) return [];
  const name = template
    .flatMap((part) => (typeof part === "object" && "argument" in part ? [part.argument] : []))
    .find((argument) => item.names.has(argument) && !item.isAlwaysPresent(argument));
  if (name === undefined) return [];
  const remainder = text.replaceAll(`{{${name}}}`, "");
  return [emptyPart(manifest.locate(path, "value"), { name, text: quoted(remainder) })];
}

/** The argument with which callers can choose any option, as in `-{{name}}`. Numbers and listed values choose none. */
function chosenOption(item: BodyItem, [first, second]: TextTemplate): string | undefined {
  const isHyphen = typeof first === "string" && /^--?$/.test(first);
  const name = isHyphen && typeof second === "object" && "argument" in second && second.argument;
  if (name === false || name === undefined || !item.names.has(name)) return undefined;
  const { enum: choices, const: constant } = item.schemaOf(name) ?? {};
  const isText = item.typesOf(name).some((type) => type === "string");
  return isText && choices === undefined && constant === undefined ? name : undefined;
}

/** The arguments that may begin the text of a template. */
function leadingArguments(template: TextTemplate): string[] {
  const leading: string[] = [];
  for (const part of template) {
    if (typeof part === "string") break;
    // If an argument or a section is empty, the next part begins the text.
    if ("argument" in part) leading.push(part.argument);
    else leading.push(...leadingArguments(part.then));
  }
  return leading;
}
