import {
  optionArgument,
  readingArgument,
  scriptArgument,
  unguardedArgument,
} from "../../model/catalogue/exec-bodies.js";
import type { Place as SourcePlace } from "../../model/catalogue-entry.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { isAuthorsChoice, mayValueBeginWith, mayValueHave } from "./accepted-texts.js";
import type { CommandText, Place } from "./command-reading.js";
import type { Effect } from "./programs/program-facts.js";

/** An argument in an item of a command. */
export interface PlacedArgument extends CommandText {
  readonly name: string;
  readonly schema: JsonObject | undefined;
  /** True if the value may begin the item. */
  readonly isLeading: boolean;
}

/**
 * What callers could do with an argument beyond what the command is for. Undefined if there is nothing.
 *
 * @param isTrusted true if the item says that its callers may send any value
 */
export function argumentDanger(
  at: SourcePlace,
  place: Place,
  argument: PlacedArgument,
  isTrusted: boolean,
): Diagnostic | undefined {
  const { name, schema, isLeading, isOne, text } = argument;
  const { program, effect, what, end, option } = place;
  if (effect === "code") return scriptArgument(at, { name, program });
  if (isTrusted) return undefined;
  const isChoice = isAuthorsChoice(schema);
  if (effect === "option") {
    return isChoice ? undefined : optionArgument(at, { name, isOption: true });
  }
  if (option !== undefined && !isOne) return unguardedArgument(at, { name, what, ...ABSENCE });
  const refusal = isChoice ? undefined : REFUSALS[effect];
  const mayBeOption = isLeading && !place.isGuarded && mayValueBeginWith(schema, "-");
  if (mayBeOption && refusal !== CHOICE) {
    return optionArgument(at, { name, program, ...(end !== undefined && { end }) });
  }
  if (refusal?.isDangerous(argument) === true)
    return unguardedArgument(at, { name, what, ...refusal });
  const reads = isChoice ? undefined : readingOf(effect, schema, isLeading, text);
  return reads && readingArgument(at, { name, program, reads });
}

interface Refusal {
  readonly isDangerous: (argument: PlacedArgument) => boolean;
  readonly why: string;
  readonly mend: string;
}

/** An option takes the next item for its value where its own is left out: `--`, after which nothing is guarded then. */
const ABSENCE = {
  why: "and may be absent or several items, so that another item may become that value",
  mend: "make it required and no list",
};

const CHOICE: Refusal = {
  isDangerous: () => true,
  why: "which may run, load or open what it names",
  mend: "give it an enum, or the type of a number",
};

const without = (characters: string, why: string): Refusal => ({
  isDangerous: ({ schema }) => mayValueHave(schema, characters),
  why,
  mend: `give it a pattern from ^ to $ without ${[...characters].join(" ")}`,
});

/** What the values of an argument must not be, by what they can do at their place. */
const REFUSALS: Partial<Readonly<Record<Effect, Refusal>>> = {
  choice: CHOICE,
  command: CHOICE,
  unknown: {
    isDangerous: ({ schema }) => mayValueBeginWith(schema, "-"),
    why: "of which nothing is known",
    mend: "give it a pattern such as ^[A-Za-z0-9]",
  },
  variable: {
    ...without("=", "where = sets a variable"),
    isDangerous: ({ schema, text }) => text.includes("=") || mayValueHave(schema, "="),
  },
  scheme: without(":@|", "where : @ and | name a kind of file, a program or another computer"),
  upload: without("@<", "where @ and < name a file to send"),
  file: {
    isDangerous: ({ schema, isLeading }) =>
      isLeading && mayValueBeginWith(schema, "-") && mayValueBeginWith(schema, "@"),
    why: "where @ at the beginning names a file to send",
    mend: "give it a pattern such as ^[^@]",
  },
};

/** What a program may read where callers choose the value that leads it there. Undefined for nothing. */
function readingOf(
  effect: Effect,
  schema: JsonObject | undefined,
  isLeading: boolean,
  text: string,
) {
  const isName = isLeading && (effect === "file" || effect === "unknown");
  if (isName && mayValueBeginWith(schema, "@")) return "file";
  if (effect === "source" && !mayValueHave(schema, ":")) return undefined;
  // `file:` begins so. A host may be any, too.
  const isAddress = isLeading ? mayValueBeginWith(schema, "f") : /^\w+:\/*[^/]*$/.test(text);
  return (effect === "url" || effect === "source") && isAddress ? "url" : undefined;
}
