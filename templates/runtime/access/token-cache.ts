import { hash } from "node:crypto";
import { keepLatest } from "../engine/keep-latest.js";

/** The maximum number of cached tokens. */
const maxTokens = 10_000;

/** Caches a value for each token. It stores hashes, not tokens, and removes the oldest when it is full. */
export class TokenCache<Value> {
  readonly #values = new Map<string, Value>();

  find(token: string): Value | undefined {
    return this.#values.get(digestOf(token));
  }

  keep(token: string, value: Value): void {
    keepLatest(this.#values, digestOf(token), value, maxTokens);
  }

  /** Removes the cached value of a token, if it is still this value. */
  forget(token: string, value: Value): void {
    const digest = digestOf(token);
    if (this.#values.get(digest) === value) this.#values.delete(digest);
  }
}

function digestOf(token: string): string {
  return hash("sha256", token, "base64");
}
