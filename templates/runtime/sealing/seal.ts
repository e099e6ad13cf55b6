import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/*
 * This is no package, since it is a few lines around AES-GCM of Node.js, and a package would be another dependency
 * of each generated server.
 */

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;
const prefix = "1.";

/**
 * Encrypts and authenticates data that clients keep for the server. They can neither read nor change it, and data of
 * another server is refused. The same text may be opened any number of times.
 */
export class Seal {
  readonly #keys: readonly Buffer[];

  /**
   * @param secrets The first encrypts, all decrypt. By default, there is one random key.
   * @param purpose What the data is for. Data for one purpose cannot be opened as that for another.
   */
  constructor(
    secrets: readonly (string | Buffer)[] = [randomBytes(32)],
    purpose = "mcp request state",
  ) {
    this.#keys = secrets.map((secret) =>
      // Derives a key for this purpose: the secret may also be used for something else.
      Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)),
    );
  }

  /** Encrypts a JSON value. */
  seal(value: unknown): string {
    const iv = randomBytes(ivBytes);
    const cipherer = createCipheriv(cipher, this.#keys[0] as Buffer, iv);
    const body = Buffer.concat([cipherer.update(JSON.stringify(value), "utf8"), cipherer.final()]);
    return prefix + Buffer.concat([iv, cipherer.getAuthTag(), body]).toString("base64url");
  }

  /** Decrypts a text of {@link seal}. Returns undefined if none of the keys has encrypted it. */
  open(text: string): unknown {
    if (!text.startsWith(prefix)) return undefined;
    const bytes = Buffer.from(text.slice(prefix.length), "base64url");
    // Decoding ignores wrong characters. Only the exact text is accepted.
    if (bytes.toString("base64url") !== text.slice(prefix.length)) return undefined;
    for (const key of this.#keys) {
      const json = decrypt(bytes, key);
      if (json !== undefined) return JSON.parse(json);
    }
    return undefined;
  }
}

function decrypt(bytes: Buffer, key: Buffer): string | undefined {
  if (bytes.length < ivBytes + tagBytes) return undefined;
  const decipherer = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes));
  decipherer.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const body = decipherer.update(bytes.subarray(ivBytes + tagBytes));
    return Buffer.concat([body, decipherer.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
