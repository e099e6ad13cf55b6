import { isJsonObject } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import type { ValidatorRequest } from "./emit-validators.js";
import type { FormerValidators } from "./former-validators.js";
import { preparedSchema, type PreparedSchema } from "./prepare-schema.js";

/** Finds requests that one validator serves: those whose schemas differ in annotations only. */
export class EqualRequests {
  readonly #former: FormerValidators | undefined;
  /** A request for each validator of the former generation that a request goes back to. */
  readonly #kept = new Map<string, ValidatorRequest>();
  /** What the schemas of the other requests look like. */
  readonly #sketches: ReadonlySet<string>;
  /** What several schemas of any requests look like. */
  readonly #repeated = new Set<string>();

  readonly prepared = onceForEach(({ schema }: ValidatorRequest): PreparedSchema =>
    preparedSchema(schema),
  );

  constructor(requests: readonly ValidatorRequest[], former: FormerValidators | undefined) {
    this.#former = former;
    const others: ValidatorRequest[] = [];
    for (const request of requests) {
      const owner = former?.keptOwner(request.exportName);
      if (owner === undefined) others.push(request);
      else if (!this.#kept.has(owner)) this.#kept.set(owner, request);
    }
    this.#sketches = new Set(others.map(sketchOf));
    const met = new Set<string>();
    for (const request of [...others, ...this.#kept.values()]) {
      const sketch = sketchOf(request);
      if (met.has(sketch)) this.#repeated.add(sketch);
      met.add(sketch);
    }
  }

  /** The same for requests that are equal. Those that are as they were are equal if they were so then. */
  keyOf(request: ValidatorRequest): string {
    const owner = this.#former?.keptOwner(request.exportName);
    const first = owner === undefined ? undefined : this.#kept.get(owner);
    if (owner === undefined || first === undefined) {
      const sketch = sketchOf(request);
      return this.#repeated.has(sketch) ? this.#wholeKey(request) : sketch;
    }
    return this.#sketches.has(sketchOf(first)) ? this.#wholeKey(first) : owner;
  }

  readonly #wholeKey = onceForEach((request: ValidatorRequest): string => {
    const { dialect, schema, targets } = this.prepared(request);
    return JSON.stringify([request.namesKeywordsOnly ?? false, dialect, schema, [...targets]]);
  });
}

/** The same for all requests that are equal, and soon found. */
const sketchOf = onceForEach(({ schema, namesKeywordsOnly = false }: ValidatorRequest): string => {
  if (!isJsonObject(schema) || Object.hasOwn(schema, "$ref")) return JSON.stringify(["another"]);
  const { properties } = schema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return JSON.stringify([namesKeywordsOnly, names]);
});
