import { hash, timingSafeEqual } from "node:crypto";
import { SettingError } from "../engine/errors.js";
import type { TokenVerifier } from "./verification.js";

interface ApiKey {
  readonly name: string;
  readonly digest: Buffer;
  readonly scopes: readonly string[];
}

/** The name, the key's SHA-256 in lower-case hexadecimal, and the scopes. Only the scopes may contain colons. */
const keyLinePattern = /^([^:\s][^:]*):([0-9a-f]{64})(?::(.*))?$/;

/**
 * Makes a verifier that identifies machines by their API keys.
 *
 * @param lines One key on each line: `name:sha256:scopes`. If undefined, no key is valid.
 * @throws SettingError if a line has another form; the message has its number but not its text
 */
export function apiKeys(lines: string | undefined): TokenVerifier {
  const keys = (lines ?? "").split(/\r?\n/).flatMap(readLine);
  const find = (token: string): ApiKey | undefined => {
    // Node decodes the bytes of HTTP headers as Latin-1.
    const digest = hash("sha256", Buffer.from(token, "latin1"), "buffer");
    // Every key is compared, so that the time does not reveal which one matched.
    return keys.filter((key) => timingSafeEqual(key.digest, digest))[0];
  };
  return {
    verify: (token) => {
      const key = find(token);
      return key && { principal: `key:${key.name}`, scopes: key.scopes, via: "apiKey" };
    },
  };
}

function readLine(line: string, index: number): ApiKey[] {
  const text = line.trim();
  if (text === "") return [];
  const [, name, digest, scopes = ""] = keyLinePattern.exec(text) ?? [];
  if (name === undefined || digest === undefined) {
    throw new SettingError(`line ${index + 1} of the API keys is not name:sha256:scopes`);
  }
  return [
    { name, digest: Buffer.from(digest, "hex"), scopes: scopes.split(/\s+/).filter(Boolean) },
  ];
}
