import { createHash, randomBytes } from "node:crypto";

/**
 * Makes a random API key. Returns a text for the user with the key and its line for the server.
 *
 * @param name The owner of the key. The principal of callers with the key is `key:NAME`.
 * @throws Error with a message for the user if the name is not allowed in a line of keys
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
