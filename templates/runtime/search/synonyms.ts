import { stemsOf } from "./words.js";

/**
 * Synonyms in queries and in descriptions of APIs, one group on each line. A word may occur in several
 * groups.
 */
const READING = `
are check does has is test verify whether
are display fetch get is look print read retrieve see show tell view what
all browse enumerate every everything list what which who
find look query search seek where
between changed compare diff difference
count how many number total
current last lately latest newest recent
`;

const CHANGING = `
add begin build compose create draft insert make new open post publish raise record register report save start store submit upload write
add append assign attach give include insert invite put
cancel clear delete destroy discard drop eject end erase kick off purge remove rid throw un
adjust alter amend change close correct edit fix modify rename reopen replace revise set update
overwrite replace set
abort cancel end halt kill stop terminate un
dispatch execute job launch run start trigger
again redeliver redo repeat rerun resend restart retry
activate enable on
deactivate disable off pause suspend
deliver post send
accept approve confirm review
decline deny dismiss refuse reject throw
ban block freeze lock prevent stop
clone copy duplicate fork
hand move transfer
answer comment note remark reply respond say
deploy deployment rollout
dispatch hand manually
`;

const OTHERS = `
assign assignee charge owner responsible
account anyone colleague login member people person profile somebody someone teammate user who whom
collaborator contributor people person somebody someone
authenticated i logged me mine my myself own
belong member
company organization
codebase project repository
bug defect issue problem ticket
access permission privilege right role
credential key leak password secret token
analytics count metric statistics traffic usage
looked view visit visitor
label tag
alert secure security vulnerability vulnerable
activity event happened history timeline
protect protection require rule
emoji like react reaction thumb
build ci job pipeline run workflow
changelog note
left limit quota remaining
html render
content document file
pass result state status
`;

/** Words that mark a question or an owner. They say little about the tool that a query looks for. */
const QUESTION_WORDS = stemsOf(
  "are does has how i is me mine my off on what when where which who whom",
);

/** The weights of a synonym and of a question word. The word itself has the weight 1. */
const SYNONYM = 0.6;
const ASKED = 0.35;

/** A stem in the index that a word of a query may mean, with its weight, at most 1. */
export interface Meaning {
  readonly stem: string;
  readonly weight: number;
}

/** The meanings of a word of a query: the word itself and its synonyms. */
export function meaningsOf(stem: string): readonly Meaning[] {
  return MEANINGS.get(stem) ?? [{ stem, weight: 1 }];
}

/** Whether a query asks to read or to change something. Undefined if no word of it tells. */
export function intentOf(stems: readonly string[]): "read" | "change" | undefined {
  return stems.map((stem) => INTENTS.get(stem)).find((intent) => intent !== undefined);
}

const INTENTS: ReadonlyMap<string, "read" | "change"> = new Map([
  ...groupsOf(CHANGING).flatMap((group) => group.map((stem) => [stem, "change"] as const)),
  ...groupsOf(READING).flatMap((group) => group.map((stem) => [stem, "read"] as const)),
]);

function groupsOf(lines: string): string[][] {
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map(stemsOf);
}

const MEANINGS: ReadonlyMap<string, readonly Meaning[]> = readMeanings();

function readMeanings(): Map<string, Meaning[]> {
  const questions = new Set(QUESTION_WORDS);
  const synonyms = new Map<string, Set<string>>();
  for (const group of groupsOf(READING + CHANGING + OTHERS)) {
    for (const stem of group) {
      const others = synonyms.get(stem) ?? new Set();
      for (const other of group) if (other !== stem && !questions.has(other)) others.add(other);
      synonyms.set(stem, others);
    }
  }
  for (const stem of questions) if (!synonyms.has(stem)) synonyms.set(stem, new Set());
  return new Map(
    [...synonyms].map(([stem, others]) => {
      const weight = questions.has(stem) ? ASKED : SYNONYM;
      const itself = questions.has(stem) ? [] : [{ stem, weight: 1 }];
      return [stem, [...itself, ...[...others].map((other) => ({ stem: other, weight }))]];
    }),
  );
}
