import { hash } from "node:crypto";

/** Hash (SHA-256, base64url, its first half) of the lines that a tool is written in. */
export function hashOfSource(source: string): string {
  return hash("sha256", source, "base64url").slice(0, 22);
}

/**
 * Shows that sources came into the lock together with its manifest: a merge can take the one from either side.
 *
 * @param sources hashes of them, by names of tools
 * @param input the lock's hash of its manifest
 */
export function proofOfSources(
  sources: ReadonlyMap<string, string>,
  input: string | undefined,
): string {
  const lines: string[] = [];
  for (const [name, source] of sources) lines.push(`${name} ${source}`);
  // An object that was parsed has names that are numbers first.
  return hashOfSource([input ?? "", ...lines.sort()].join("\n"));
}
