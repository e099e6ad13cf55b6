import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, itemsOf, mappingIn, mappingsIn, type Mapping } from "../manifest-view.js";

const FORMS = ["text", "blob"];

/** Checks that each embedded resource has either a text or bytes. */
export function checkEmbeddedResources(manifest: LoadedManifest): Diagnostic[] {
  const inTools = itemsOf(manifest, "tools").flatMap((tool) => mappingsIn(tool, "content"));
  const inPrompts = itemsOf(manifest, "prompts")
    .flatMap((prompt) => mappingsIn(prompt, "messages"))
    .flatMap((message) => mappingIn(message, "content") ?? []);
  return [...inTools, ...inPrompts]
    .filter(({ value }) => value["type"] === "resource")
    .flatMap((block) => mappingIn(block, "resource") ?? [])
    .flatMap((resource) => oneOfProblems(manifest, resource, "an embedded resource", FORMS));
}

/** Reports a mapping that has none, or several, of some keys. @param what the words for it in messages */
export function oneOfProblems(
  manifest: LoadedManifest,
  { path, value }: Mapping,
  what: string,
  keys: readonly string[],
): Diagnostic[] {
  const [first, second] = keys.filter((key) => has(value, key));
  if (first !== undefined && second === undefined) return [];
  const place = manifest.locate(second === undefined ? path : [...path, second], "key");
  return [contentConflict(place, { what, keys })];
}
