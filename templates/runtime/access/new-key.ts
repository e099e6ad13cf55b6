import { createHash, randomBytes } from "node:crypto";

/**
 * Makes an API key, which nobody else knows, and says what to do with it.
 *
 * @param name Whom it is for; callers with the key are `key:NAME`.
 * @throws Error with a message for the user where a line of keys cannot have the name
 */
export function newKey(name: string): string {
  if (!/^[^:\s][^:\r\n]*$/.test(name)) {
    throw new Error("--new-key wants a name without a colon, as in --new-key ci");
  }
  const key = randomBytes(32).toString("base64url");
  const digest = createHash("sha256").update(key).digest("hex");
  return `Key, which is shown this once; it is sent as Authorization: Bearer KEY
${key}
Line among the keys of the server; scopes stand after the last colon, with spaces between them
${name}:${digest}:
`;
}
