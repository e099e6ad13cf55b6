import type { ManifestCompletion } from "../model/manifest.js";
import type { CompletionModel } from "../model/server-model.js";
import type { ManifestServices } from "../bodies/definition.js";
import { readSource } from "../bodies/index.js";

/** Normalizes the completions of a prompt's arguments or of a template's variables. */
export class Completions {
  readonly #names: readonly string[];
  readonly #services: ManifestServices;

  /** @param names of all arguments or variables */
  constructor(names: readonly string[], services: ManifestServices) {
    this.#names = names;
    this.#services = services;
  }

  /** The completion of an argument, as a field to spread. Nothing if `complete` is absent. */
  of(name: string, complete: ManifestCompletion | undefined): { complete?: CompletionModel } {
    if (complete === undefined) return {};
    if (typeof complete === "string" || Array.isArray(complete)) return { complete };
    const others = this.#names.filter((other) => other !== name);
    return { complete: readSource(complete, { arguments: [name, ...others], ...this.#services }) };
  }
}
