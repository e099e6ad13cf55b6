import { hash, timingSafeEqual } from "node:crypto";
import { SettingError } from "../http/setting-error.js";
import type { TokenVerifier } from "./verification.js";

interface ApiKey {
  readonly name: string;
  readonly digest: Buffer;
  readonly scopes: readonly string[];
}

/** Name, SHA-256 of the key in lower-case hex, scopes; only the scopes may hold colons. */
const keyLine = /^([^:\s][^:]*):([0-9a-f]{64})(?::(.*))?$/;

/**
 * Knows machines by keys of their own.
 *
 * @param lines A key each: `name:sha256:scopes`. Without a value there are none.
 * @throws SettingError where a line is no such; the message has its number and not its text
 */
export function apiKeys(lines: string | undefined): TokenVerifier {
  const keys = (lines ?? "").split(/\r?\n/).flatMap(readLine);
  const find = (token: string): ApiKey | undefined => {
    // HTTP hands bytes on as Latin-1.
    const digest = hash("sha256", Buffer.from(token, "latin1"), "buffer");
    // All are compared, so that the time says nothing of where one was found.
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
  const [, name, digest, scopes = ""] = keyLine.exec(text) ?? [];
  if (name === undefined || digest === undefined) {
    throw new SettingError(`line ${index + 1} of the API keys is not name:sha256:scopes`);
  }
  return [
    { name, digest: Buffer.from(digest, "hex"), scopes: scopes.split(/\s+/).filter(Boolean) },
  ];
}
