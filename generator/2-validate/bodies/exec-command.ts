import { placeholderType } from "../../model/catalogue/bodies.js";
import {
  emptyPart,
  programForm,
  scriptArgument,
  unguardedArgument,
} from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { TextTemplate } from "../../model/text-template.js";
import { argumentsIn, insertedArguments } from "../../text/template-arguments.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { quoted } from "../../text/value-words.js";
import { listIn, textIn } from "../manifest-view.js";
import { checkPlaceholders } from "../rules/placeholders.js";
import { argumentDanger } from "./argument-dangers.js";
import type { BodyItem } from "./body-item.js";
import {
  readCommand,
  type CommandReading,
  type CommandText,
  type Place,
} from "./command-reading.js";
import { fixedProgramProblems, shellWordProblems, type FixedCommandItem } from "./fixed-command.js";

/** An item of a command. What has a placeholder is not fixed. */
interface CommandItem extends FixedCommandItem, CommandText {
  /** As the manifest has it. */
  readonly source: string;
  readonly template: TextTemplate;
}

/** Checks a command: the programs in it, and what callers can put into its arguments and its standard input. */
export function commandProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const items = commandItems(item);
  const [program, ...others] = items;
  if (program === undefined) return [];
  const choices = choicesOf(item, program) ?? [program.text];
  const problems = choices.map((choice) => {
    const command = [
      { ...program, text: String(choice), isFixed: program.fixed !== "" },
      ...others,
    ];
    const { places, stdin } = readCommand(command);
    return [
      ...places.flatMap((place, index) => placeProblems(manifest, item, place, items[index])),
      ...inputProblems(manifest, item, stdin),
    ];
  });
  return [
    ...items.flatMap(({ path, source }) =>
      checkPlaceholders(manifest, path, source, item.names, item.what),
    ),
    ...(problems.find(({ length }) => length > 0) ?? []),
    ...shellWordProblems(manifest, items),
    ...others.flatMap((argument) => typeProblems(manifest, item, argument)),
    ...others.flatMap((argument) => absenceProblems(manifest, item, argument)),
  ];
}

function commandItems(item: BodyItem): CommandItem[] {
  return listIn(item.body.value, "command").flatMap((source, index) => {
    if (typeof source !== "string") return [];
    const { template } = parseTextTemplate(source, item.names);
    const isFixed = template.every((part) => typeof part === "string");
    const [part, ...others] = template;
    const isSection = typeof part === "object" && "then" in part && others.length === 0;
    const sole = soleArgument(template);
    return {
      ...{ source, path: [...item.body.path, "command", index], template },
      fixed: isFixed ? template.join("") : undefined,
      text: beginningOf(template),
      isFixed: isFixed || (isSection && insertedArguments(template).length === 0),
      isOne: sole === undefined ? !isSection : isAlwaysOne(item, sole),
    };
  });
}

/** The fixed text with which a template begins, up to the first value of a caller. */
function beginningOf([part, ...others]: TextTemplate): string {
  if (part === undefined || (typeof part === "object" && "argument" in part)) return "";
  if (typeof part === "string") return part + beginningOf(others);
  const isWhole = insertedArguments(part.then).length === 0;
  return beginningOf(part.then) + (isWhole ? beginningOf(others) : "");
}

/** True if an argument is never absent, null or a list. */
function isAlwaysOne(item: BodyItem, name: string): boolean {
  const types = item.typesOf(name);
  const choices = item.schemaOf(name)?.["enum"];
  const isSingle = Array.isArray(choices)
    ? choices.every((choice) => typeof choice !== "object")
    : types.length > 0 && !types.includes("array") && !types.includes("null");
  return isSingle && item.isAlwaysPresent(name);
}

/** The argument of an item that is a single placeholder. Undefined for other items. */
function soleArgument([first, ...others]: TextTemplate): string | undefined {
  const isSole = typeof first === "object" && "argument" in first && others.length === 0;
  return isSole ? first.argument : undefined;
}

/** The programs among which a caller may choose. Undefined if the program is no argument with an `enum`. */
function choicesOf(item: BodyItem, { template }: CommandItem): readonly unknown[] | undefined {
  const name = soleArgument(template);
  const choices = name === undefined ? undefined : item.schemaOf(name)?.["enum"];
  return Array.isArray(choices) ? choices : undefined;
}

/** Checks one item of a command: a program in it, or what callers put into it. */
function placeProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  place: Place | undefined,
  part: CommandItem | undefined,
): Diagnostic[] {
  if (place === undefined || part === undefined) return [];
  const at = manifest.locate(part.path, "value");
  if (place.effect === "program") {
    if (part.fixed !== undefined) return fixedProgramProblems(manifest, part);
    const problem = chosenProgramProblem(item, part);
    return problem === undefined ? [] : [programForm(at, { problem })];
  }
  const leading = leadingArguments(part.template);
  const problems = insertedArguments(part.template).flatMap((name) => {
    if (!item.names.has(name)) return [];
    const isLeading = leading.includes(name);
    const argument = { ...part, name, schema: item.schemaOf(name), isLeading };
    return argumentDanger(at, place, argument, isTrusted(item, name)) ?? [];
  });
  return problems.slice(0, 1);
}

/** A caller may choose the program only among the values of an `enum`. */
function chosenProgramProblem(item: BodyItem, program: CommandItem): string | undefined {
  const name = soleArgument(program.template);
  if (name === undefined) return "is put together from arguments";
  if (!item.names.has(name)) return undefined;
  const choices = choicesOf(item, program);
  if (choices === undefined) return `is the argument "${name}", which has no enum`;
  if (!item.isAlwaysPresent(name)) return `is the argument "${name}", which may be absent`;
  return choices.every((choice) => typeof choice === "string" && choice !== "")
    ? undefined
    : `is the argument "${name}", whose enum has something else than names`;
}

/** True if the item says that callers may send any value of an argument. */
const isTrusted = ({ body }: BodyItem, name: string): boolean =>
  listIn(body.value, "trusted").includes(name);

/** Reports placeholders in a standard input that is code, or of which the program makes other commands. */
function inputProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { effect, program }: CommandReading["stdin"],
): Diagnostic[] {
  const { template } = parseTextTemplate(textIn(item.body.value, "stdin") ?? "", item.names);
  const place = manifest.locate([...item.body.path, "stdin"], "value");
  const isCode = effect === "code";
  const name = argumentsIn(template).find((one) => isCode || !isTrusted(item, one));
  if (effect === "text" || name === undefined) return [];
  if (isCode) return [scriptArgument(place, { name, program })];
  const what = `in the standard input of ${program}`;
  const mend = "write the input into the manifest";
  return [unguardedArgument(place, { name, what, why: "which makes commands of it", mend })];
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

/** Reports text beside an argument that may be absent: the text would stay. An item that is the argument alone is omitted. */
function absenceProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { template, path, source }: CommandItem,
): Diagnostic[] {
  if (soleArgument(template) !== undefined) return [];
  const name = template
    .flatMap((part) => (typeof part === "object" && "argument" in part ? [part.argument] : []))
    .find((argument) => item.names.has(argument) && !item.isAlwaysPresent(argument));
  if (name === undefined) return [];
  const remainder = source.replaceAll(`{{${name}}}`, "");
  return [emptyPart(manifest.locate(path, "value"), { name, text: quoted(remainder) })];
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
