import { stemmer } from "stemmer";

/** Words that search ignores, since they have no meaning of their own. */
const STOP_WORDS = new Set(
  (
    "a am an and any as at be been by can could do for from here if in into it its not now of one or our out " +
    "over please should so some that the their them there these they this those to under up us want will with " +
    "would you your we"
  ).split(" "),
);

/** Abbreviations and the words that they stand for. */
const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    admin: ["administrator"],
    app: ["application"],
    auth: ["authentication"],
    config: ["configuration"],
    doc: ["documentation"],
    env: ["environment"],
    id: ["identifier"],
    info: ["information"],
    mr: ["merge", "request"],
    org: ["organization"],
    pr: ["pull", "request"],
    repo: ["repository"],
    stat: ["statistics"],
  }).flatMap(([short, words]) => [
    [short, words],
    [`${short}s`, words],
  ]),
);

/** The maximum number of letters of a word. Further letters are ignored. */
const LONGEST_WORD = 64;

/** The stems of a text's words, in their order: `Lists the open PRs` is `list open pull request`. */
export function stemsOf(text: string): string[] {
  return wordsOf(text)
    .flatMap((word) => ABBREVIATIONS.get(word) ?? [word])
    .filter((word) => !STOP_WORDS.has(word))
    .flatMap((word) => /^(un|sub)(.{4,})$/.exec(word)?.slice(1) ?? [word])
    .map((word) => stemmer(word.slice(0, LONGEST_WORD)));
}

/** Splits text into lower-case words of letters and digits. An upper-case letter begins a new word. */
export function wordsOf(text: string): string[] {
  const spaced = text.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ").replace(/['’]s\b/g, "");
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
