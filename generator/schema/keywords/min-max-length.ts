import { countCharacters } from "../values.js";
import { MAXIMUM_STRING } from "../instances/sizes.js";
import { countLimit, countWords, type Unit } from "./count-limit.js";

const NOUN = { one: "character", many: "characters" };

const CHARACTERS: Unit = {
  subject: "string",
  ...NOUN,
  countOf: (value) => (typeof value === "string" ? countCharacters(value) : undefined),
  words: countWords("minLength", "maxLength", NOUN),
  most: MAXIMUM_STRING,
};

export const maxLength = countLimit("maxLength", "most", "minLength", CHARACTERS);
export const minLength = countLimit("minLength", "least", "maxLength", CHARACTERS);
