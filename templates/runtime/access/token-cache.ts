import { hash } from "node:crypto";

/** The most tokens that are remembered. */
const mostTokens = 10_000;

/** Remembers something about tokens, without the tokens themselves: where they are too many, not of the oldest. */
export class TokenCache<Value> {
  readonly #values = new Map<string, Value>();

  find(token: string): Value | undefined {
    return this.#values.get(digestOf(token));
  }

  keep(token: string, value: Value): void {
    const digest = digestOf(token);
    this.#values.delete(digest);
    const [oldest] = this.#values.keys();
    if (oldest !== undefined && this.#values.size >= mostTokens) this.#values.delete(oldest);
    this.#values.set(digest, value);
  }

  /** Forgets what is remembered about a token, if it still is this. */
  forget(token: string, value: Value): void {
    const digest = digestOf(token);
    if (this.#values.get(digest) === value) this.#values.delete(digest);
  }
}

function digestOf(token: string): string {
  return hash("sha256", token, "base64");
}
