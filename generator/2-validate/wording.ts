import type { ManifestPath } from "../model/loaded-manifest.js";
import { quoted } from "../text/value-words.js";
import type { ItemList } from "./manifest-view.js";

/** The words for the items of each list in messages. */
export const LIST_WORDS: Readonly<Record<ItemList, string>> = {
  tools: "tools",
  resources: "resources",
  resourceTemplates: "resource templates",
  prompts: "prompts",
};

/**
 * The words for the value at a path in messages: `"port"`, `item 2 of "sizes"`, `the manifest`.
 *
 * @param root the words for an empty path
 */
export function subjectOf(path: ManifestPath, root = "the manifest"): string {
  const last = path.at(-1);
  if (last === undefined) return root;
  if (typeof last === "string") return quoted(last);
  const list = path.slice(0, -1);
  return `item ${last + 1} of ${subjectOf(list, root)}`;
}

/** `tool` → `a tool`, `icon` → `an icon`, `mcp body` → `an mcp body`, `retries` → `retries`, `manifest` → `the manifest`. */
export function withArticle(noun: string): string {
  if (noun === "manifest") return "the manifest";
  const isPlural = noun.replace(/ of .*/, "").endsWith("s");
  if (isPlural) return noun;
  return `${/^(?:[aeiou]|(?:http|mcp|sse)\b)/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** The code points of characters in words, at most five of them: `a space, U+200B`. */
export function codePoints(characters: readonly string[]): string {
  const names = [...new Set(characters)].map(codePoint);
  return names.length > 5 ? `${names.slice(0, 5).join(", ")}, …` : names.join(", ");
}

function codePoint(character: string): string {
  if (character === " ") return "a space";
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
