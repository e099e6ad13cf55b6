import type { ClaimTypes } from "../model/auth.js";
import type { ManifestCompletion } from "../model/manifest.js";
import type { CompletionModel } from "../model/server-model.js";
import { normalizeSource } from "./bodies/source.js";
import type { Databases } from "./bodies/sql.js";

/** Normalizes the completions of a prompt's arguments or of a template's variables. */
export class Completions {
  readonly #names: readonly string[];
  readonly #databases: Databases;
  readonly #claims: ClaimTypes | undefined;

  /** @param names of all arguments or variables */
  constructor(names: readonly string[], databases: Databases, claims?: ClaimTypes) {
    this.#names = names;
    this.#databases = databases;
    this.#claims = claims;
  }

  /** The completion of an argument, as a field to spread. Nothing if `complete` is absent. */
  of(name: string, complete: ManifestCompletion | undefined): { complete?: CompletionModel } {
    if (complete === undefined) return {};
    if (typeof complete === "string" || Array.isArray(complete)) return { complete };
    const others = this.#names.filter((other) => other !== name);
    const names = [name, ...others];
    return { complete: normalizeSource(complete, names, this.#databases, this.#claims) };
  }
}
