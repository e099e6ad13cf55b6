import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, itemsOf, mappingIn, mappingsIn, type Mapping } from "../manifest-view.js";

const FORMS = ["text", "blob"];

/** An embedded resource carries text or bytes. */
export function checkEmbeddedResources(manifest: LoadedManifest): Diagnostic[] {
  const inTools = itemsOf(manifest, "tools").flatMap((tool) => mappingsIn(tool, "content"));
  const inPrompts = itemsOf(manifest, "prompts")
    .flatMap((prompt) => mappingsIn(prompt, "messages"))
    .flatMap((message) => mappingIn(message, "content") ?? []);
  return [...inTools, ...inPrompts]
    .filter(({ value }) => value["type"] === "resource")
    .flatMap((block) => mappingIn(block, "resource") ?? [])
    .flatMap((resource) => formProblem(manifest, resource));
}

function formProblem(manifest: LoadedManifest, { path, value }: Mapping): Diagnostic[] {
  const [first, second] = FORMS.filter((key) => has(value, key));
  if (first !== undefined && second === undefined) return [];
  const place = manifest.locate(second === undefined ? path : [...path, second], "key");
  return [contentConflict(place, { what: "an embedded resource", keys: FORMS })];
}
