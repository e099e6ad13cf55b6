import type { ManifestPath } from "../model/loaded-manifest.js";
import { quoted } from "../text/value-words.js";
import type { ItemList } from "./manifest-view.js";

/** What the items of a list are called. */
export const LIST_WORDS: Readonly<Record<ItemList, string>> = {
  tools: "tools",
  resources: "resources",
  resourceTemplates: "resource templates",
  prompts: "prompts",
};

/** What a path leads to, for messages: `"port"`, `item 2 of "sizes"`, `the manifest`. */
export function subjectOf(path: ManifestPath, whole = "the manifest"): string {
  const last = path.at(-1);
  if (last === undefined) return whole;
  if (typeof last === "string") return quoted(last);
  const list = path.slice(0, -1);
  return `item ${last + 1} of ${subjectOf(list, whole)}`;
}

/** `tool` → `a tool`, `icon` → `an icon`, `http transport` → `an http transport`; the manifest is only one. */
export function withArticle(noun: string): string {
  if (noun === "manifest") return "the manifest";
  return `${/^(?:[aeiou]|http\b|sse\b)/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** The names of characters by code point: `a space, U+200B`; at most five. */
export function codePoints(characters: readonly string[]): string {
  const names = [...new Set(characters)].map(codePoint);
  return names.length > 5 ? `${names.slice(0, 5).join(", ")}, …` : names.join(", ");
}

function codePoint(character: string): string {
  if (character === " ") return "a space";
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
