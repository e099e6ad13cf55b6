import { countCharacters } from "../pieces/values.js";
import { MAXIMUM_STRING } from "../instances/sizes.js";
import { countLimit, type Unit } from "./count-limit.js";

const CHARACTERS: Unit = {
  subject: "string",
  one: "character",
  many: "characters",
  countOf: (value) => (typeof value === "string" ? countCharacters(value) : undefined),
  isUntyped: true,
  most: MAXIMUM_STRING,
};

export const maxLength = countLimit("maxLength", "most", "minLength", CHARACTERS);
export const minLength = countLimit("minLength", "least", "maxLength", CHARACTERS);
