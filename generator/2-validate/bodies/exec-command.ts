import { basename } from "node:path/posix";
import { placeholderType } from "../../model/catalogue/bodies.js";
import {
  emptyPart,
  optionArgument,
  programForm,
  readingArgument,
  scriptArgument,
  unguardedArgument,
} from "../../model/catalogue/exec-bodies.js";
import type { Place as SourcePlace } from "../../model/place.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { TextTemplate } from "../../model/text-template.js";
import { argumentsIn, beginningOf, insertedArguments } from "../../text/template-arguments.js";
import { parseTextTemplate } from "../../text/text-template.js";
import { quoted } from "../../text/value-words.js";
import { listIn, textIn } from "../manifest-view.js";
import { checkPlaceholders } from "../rules/placeholders.js";
import { isAuthorsChoice, mayValueBeginWith, mayValueHave } from "./accepted-texts.js";
import type { BodyItem } from "./body-item.js";
import { readCommand, type CommandReading, type Place } from "./command-reading.js";
import { fixedProgramProblems, shellWordProblems, type PlacedText } from "./fixed-command.js";
import { REFUSALS, type Effect } from "./programs/effects.js";

/** An item of a command. */
interface CommandItem extends PlacedText {
  /** As the manifest has it. */
  readonly source: string;
  readonly template: TextTemplate;
  /** The argument of an item that is a single placeholder. */
  readonly sole: string | undefined;
  /** The arguments whose values may begin the item. */
  readonly leading: readonly string[];
  /** True if the item before it is the option `-c`, alone or behind others: `-ec`. */
  readonly isBehindC: boolean;
}

/** Checks a command: the programs in it, and what callers can put into its arguments and its standard input. */
export function commandProblems(manifest: LoadedManifest, item: BodyItem): Diagnostic[] {
  const { names, what } = item;
  const items = commandItems(item);
  const [program, ...others] = items;
  if (program === undefined) return [];
  const choices = choicesOf(item, program)?.map((choice) => ({
    text: String(choice),
    isFixed: true,
  }));
  const problems = (choices ?? [program]).map((chosen) => {
    const { places, stdin } = readCommand([{ ...program, ...chosen }, ...others]);
    return [
      ...items.flatMap((part, index) => placeProblems(manifest, item, places[index], part)),
      ...inputProblems(manifest, item, stdin),
    ];
  });
  return [
    ...items.flatMap(({ path, source }) => checkPlaceholders(manifest, path, source, names, what)),
    ...(problems.find(({ length }) => length > 0) ?? []),
    ...shellWordProblems(manifest, items),
    ...others.flatMap((argument) => valueProblems(manifest, item, argument)),
  ];
}

function commandItems(item: BodyItem): CommandItem[] {
  return listIn(item.body.value, "command").flatMap((source, index, command) => {
    if (typeof source !== "string") return [];
    const { template } = parseTextTemplate(source, item.names);
    const part = template.length === 1 ? template[0] : undefined;
    const sole = typeof part === "object" && "argument" in part ? part.argument : undefined;
    const isSection = typeof part === "object" && sole === undefined;
    const changing = isSection ? insertedArguments(template) : argumentsIn(template);
    return {
      ...{ source, path: [...item.body.path, "command", index], template, sole },
      ...beginningOf(template),
      isFixed: changing.length === 0,
      isBehindC: /^-[a-z]*c$/.test(String(command[index - 1] ?? "")),
      isOne: sole === undefined ? !isSection : isAlwaysOne(item, sole),
    };
  });
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

/** The programs among which a caller may choose. Undefined if the program is no argument with an `enum`. */
function choicesOf(item: BodyItem, { sole }: CommandItem): readonly unknown[] | undefined {
  const choices = sole === undefined ? undefined : item.schemaOf(sole)?.["enum"];
  return Array.isArray(choices) ? choices : undefined;
}

/** Checks one item of a command: a program in it, or what callers put into it. */
function placeProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  place: Place | undefined,
  part: CommandItem,
): Diagnostic[] {
  if (place === undefined) return [];
  const at = manifest.locate(part.path, "value");
  if (place.effect === "program") {
    if (part.isFixed) return fixedProgramProblems(manifest, part);
    const problem = chosenProgramProblem(item, part);
    return problem === undefined ? [] : [programForm(at, { problem })];
  }
  const problems = insertedArguments(part.template).flatMap(
    (name) => argumentProblem(at, place, item, part, name) ?? [],
  );
  return problems.slice(0, 1);
}

/** The shells that give a script behind `-c` the arguments that follow as `$0`, `$1` and so on. */
const POSIX_SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "ksh", "zsh"]);

/** What callers could do with an argument beyond what the command is for. */
function argumentProblem(
  at: SourcePlace,
  { program, effect, what, mayBeOption, end }: Place,
  item: BodyItem,
  { text, leading, isBehindC }: CommandItem,
  name: string,
): Diagnostic | undefined {
  const isShellScript = isBehindC && POSIX_SHELLS.has(basename(program));
  if (effect === "code") return scriptArgument(at, { name, program, isShellScript });
  const schema = item.schemaOf(name);
  const isChoice = isAuthorsChoice(schema) && effect !== "absent";
  const isTrusted = listIn(item.body.value, "trusted").includes(name);
  if (isTrusted || (isChoice && effect === "option")) return undefined;
  if (effect === "option") return optionArgument(at, { name, isOption: true });
  const isLeading = leading.includes(name);
  const isOption = mayBeOption && isLeading && mayValueBeginWith(schema, "-");
  if (isOption && (isChoice || effect !== "choice"))
    return optionArgument(at, { name, program, ...(end !== undefined && { end }) });
  if (isChoice) return undefined;
  const reads = readingOf(effect, isLeading ? "" : text, schema);
  const refusal = effect === "file" && reads === undefined ? undefined : REFUSALS[effect];
  const { begins, has } = refusal ?? {};
  const isBegun = begins === undefined ? has === undefined : mayValueBeginWith(schema, begins);
  if (refusal && (isBegun || (has !== undefined && mayValueHave(schema, has))))
    return unguardedArgument(at, { name, what, ...refusal });
  return reads && readingArgument(at, { name, program, reads });
}

/** What a program may read where callers choose the value behind a fixed text. Undefined for nothing. */
function readingOf(effect: Effect, before: string, schema: JsonObject | undefined) {
  if (before === "" && (effect === "file" || effect === "unknown"))
    return mayValueBeginWith(schema, "@") ? "file" : undefined;
  if (effect === "source" ? !mayValueHave(schema, ":") : effect !== "url") return undefined;
  // `file:` begins so. A host may be any, too.
  const isAddress = before === "" ? mayValueBeginWith(schema, "f") : /^\w+:\/*[^/]*$/.test(before);
  return isAddress ? "url" : undefined;
}

/** A caller may choose the program only among the values of an `enum`. */
function chosenProgramProblem(item: BodyItem, program: CommandItem): string | undefined {
  const { sole } = program;
  if (sole === undefined) return "is put together from arguments";
  const choices = choicesOf(item, program) ?? [""];
  if (!choices.every((choice) => typeof choice === "string" && choice !== ""))
    return `is the argument "${sole}", which has no enum of names`;
  return item.isAlwaysPresent(sole) ? undefined : `is the argument "${sole}", which may be absent`;
}

/** Reports placeholders in a standard input that is code, or of which the program makes other commands. */
function inputProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { effect, program }: CommandReading["stdin"],
): Diagnostic[] {
  const { template } = parseTextTemplate(textIn(item.body.value, "stdin") ?? "", item.names);
  const place = manifest.locate([...item.body.path, "stdin"], "value");
  const isCode = effect === "code";
  const trusted = isCode ? [] : listIn(item.body.value, "trusted");
  const name = argumentsIn(template).find((one) => !trusted.includes(one));
  if (effect === "text" || name === undefined) return [];
  if (isCode) return [scriptArgument(place, { name, program })];
  const why = "which makes commands of it";
  const mend = "write the input into the manifest";
  return [unguardedArgument(place, { name, what: `in the input of ${program}`, why, mend })];
}

/** Reports objects, and lists or what may be absent beside other text. A list alone is several arguments, or none. */
function valueProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  { template, path, source, sole }: CommandItem,
): Diagnostic[] {
  const at = manifest.locate(path, "value");
  const where = "in an argument of a program";
  const problems = insertedArguments(template).flatMap((name) => {
    const types = item.typesOf(name);
    const isList = types.includes("array") && sole === undefined;
    const found = types.includes("object") ? "an object" : isList ? "a list" : undefined;
    return found ? [placeholderType(at, { name, found, where })] : [];
  });
  const optional = template
    .flatMap((part) => (typeof part === "object" && "argument" in part ? [part.argument] : []))
    .find((name) => !item.isAlwaysPresent(name));
  if (optional === undefined || sole !== undefined) return problems;
  const text = quoted(source.replaceAll(`{{${optional}}}`, ""));
  return [...problems, emptyPart(at, { name: optional, text })];
}
