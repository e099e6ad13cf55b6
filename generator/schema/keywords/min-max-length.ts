import { countCharacters } from "../pieces/values.js";
import { countLimit, type Unit } from "./count-limit.js";

const CHARACTERS: Unit = {
  subject: "string",
  one: "character",
  many: "characters",
  countOf: (value) => (typeof value === "string" ? countCharacters(value) : undefined),
};

export const maxLength = countLimit("maxLength", "most", CHARACTERS);
export const minLength = countLimit("minLength", "least", CHARACTERS);
