import { countCharacters } from "./runtime-pieces.js";

/** Whether a text has more characters than so many; mostly, its length in code units tells. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && countCharacters(text) > most;
}

/** Whether a text has fewer characters than so many. */
export function isShorter(text: string, least: number): boolean {
  return text.length < 2 * least && countCharacters(text) < least;
}
