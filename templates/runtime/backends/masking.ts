import { textOfVariable } from "../engine/variable-url.js";

/** Shorter secrets are not masked, because they would mask ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** What replaces a secret. */
const MASK = "[masked]";

/** Replaces secrets in texts and JSON values. */
export class Masking {
  readonly #secrets = new Set<string>();
  /** The texts that the pattern matches. To look for each of them takes less time than to match the pattern. */
  #forms: readonly string[] = [];
  #pattern: RegExp | undefined;
  readonly #base: Masking | undefined;

  /** @param base masks its secrets, too */
  constructor(base?: Masking) {
    this.#base = base;
  }

  /** Adds a secret to mask, also in its URL-encoded, base64 and JSON forms. @returns whether it is a new one */
  add(secret: string): boolean {
    if (secret.length < MIN_SECRET_LENGTH || this.#secrets.has(secret)) return false;
    this.#secrets.add(secret);
    this.#update();
    return true;
  }

  /** Removes a secret that is of no use any more. */
  remove(secret: string): void {
    if (this.#secrets.delete(secret)) this.#update();
  }

  #update(): void {
    const forms = [...this.#secrets].flatMap(formsOf).sort((a, b) => b.length - a.length);
    this.#forms = [...new Set(forms)];
    const pattern = this.#forms.map(escapeRegExp).join("|");
    this.#pattern = pattern === "" ? undefined : new RegExp(pattern, "g");
  }

  /** Masks the secrets of a text. */
  readonly text = (plain: string): string => {
    const text = this.#base?.text(plain) ?? plain;
    return this.#pattern !== undefined && this.#forms.some((form) => text.includes(form))
      ? text.replace(this.#pattern, MASK)
      : text;
  };

  get #hasNone(): boolean {
    return this.#pattern === undefined && (this.#base === undefined || this.#base.#hasNone);
  }

  /** Masks the secrets of a JSON text; returns the same text if it has none. */
  jsonText(text: string): string {
    const masked = this.text(text);
    if (this.#hasNone || !text.includes("\\")) return masked;
    try {
      const value: unknown = JSON.parse(masked);
      const maskedJson = JSON.stringify(this.json(value));
      return maskedJson === JSON.stringify(value) ? masked : maskedJson;
    } catch {
      return masked;
    }
  }

  /** Masks the secrets in the strings and keys of a JSON value. */
  readonly json = (value: unknown): unknown => {
    if (this.#hasNone) return value;
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map(this.json);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.text(key), this.json(member)]),
    );
  };
}

/** A definition of a project that declares environment variables. */
interface DefinitionWithEnv {
  readonly env?: readonly { readonly name: string; readonly secret: boolean }[];
}

/** Creates a masking of the values of all secret variables. @param env the values by variable name */
export function maskingOf(definition: object, env: unknown): Masking {
  const values = (env ?? {}) as Readonly<Record<string, unknown>>;
  const masking = new Masking();
  for (const { name, secret } of (definition as DefinitionWithEnv).env ?? []) {
    if (secret) masking.add(textOfVariable(values[name] ?? ""));
  }
  return masking;
}

/** The encodings in which a secret may occur. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64");
  return [
    secret,
    encodedForm(secret),
    encodedForm(secret).replaceAll("%20", "+"),
    base64,
    base64.replace(/=+$/, ""),
    bytes.toString("base64url"),
    encodedForm(base64),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** The URL encoding of a text; the text itself if it is not well-formed Unicode. */
function encodedForm(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
