/** Shorter secrets would mask ordinary words. */
const SHORTEST_SECRET = 6;

/** What stands where a secret was. */
const MASK = "[masked]";

/** Takes secrets out of texts. */
export class Masking {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | undefined;

  /** Masks a secret from now on, also in its URL-encoded, base64 and JSON forms. */
  add(secret: string): void {
    if (secret.length < SHORTEST_SECRET || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    const forms = [...this.#secrets].flatMap(formsOf).sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp([...new Set(forms)].map(escaped).join("|"), "g");
  }

  /** The text without secrets. */
  readonly text = (text: string): string =>
    this.#pattern === undefined ? text : text.replace(this.#pattern, MASK);

  /** The value of a JSON text, without secrets. @throws SyntaxError where it is no JSON */
  parsed(text: string): unknown {
    const value: unknown = JSON.parse(this.text(text));
    // Where a text has escapes, a secret is searched for in the text without them.
    return text.includes("\\") ? this.json(value) : value;
  }

  /** A JSON text without secrets; the same text where it has none. */
  jsonText(text: string): string {
    const masked = this.text(text);
    if (this.#pattern === undefined || !text.includes("\\")) return masked;
    try {
      const value: unknown = JSON.parse(masked);
      const clean = JSON.stringify(this.json(value));
      return clean === JSON.stringify(value) ? masked : clean;
    } catch {
      return masked;
    }
  }

  /** The JSON value without secrets in its texts. */
  readonly json = (value: unknown): unknown => {
    if (this.#pattern === undefined) return value;
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map(this.json);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.text(key), this.json(member)]),
    );
  };
}

/** The variables of a definition, in a project that has some. */
interface WithVariables {
  readonly env?: readonly { readonly name: string; readonly secret: boolean }[];
}

/** Masks the values of the variables that are secret. @param env the values by the names of the variables */
export function maskingOf(definition: object, env: unknown): Masking {
  const values = (env ?? {}) as Readonly<Record<string, unknown>>;
  const masking = new Masking();
  for (const { name, secret } of (definition as WithVariables).env ?? []) {
    if (secret) masking.add(String(values[name] ?? ""));
  }
  return masking;
}

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

function encodedForm(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
