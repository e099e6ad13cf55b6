import type { Manifest, ManifestCompletion } from "../model/manifest.js";
import type { CompletionModel } from "../model/server-model.js";
import { normalizeSource } from "./bodies/source.js";

/** What completes the arguments of a prompt, or the variables of a template. */
export class Completions {
  readonly #names: readonly string[];
  readonly #databases: NonNullable<Manifest["databases"]>;

  /** @param names of all arguments or variables */
  constructor(names: readonly string[], databases: NonNullable<Manifest["databases"]>) {
    this.#names = names;
    this.#databases = databases;
  }

  /** What `complete` says of an argument, as a field to spread; nothing where it offers no values. */
  of(name: string, complete: ManifestCompletion | undefined): { complete?: CompletionModel } {
    if (complete === undefined) return {};
    if (typeof complete === "string" || Array.isArray(complete)) return { complete };
    const others = this.#names.filter((other) => other !== name);
    return { complete: normalizeSource(complete, [name, ...others], this.#databases) };
  }
}
