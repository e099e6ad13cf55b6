import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../text/package-root.js";

/**
 * All that decides what projects look like, and what locks say: what is copied or rendered, the code that
 * emits, and that which reads and judges manifests.
 */
const sources = [
  new URL("schemas", packageRoot),
  new URL("templates", packageRoot),
  new URL("../1-load", import.meta.url),
  new URL("../2-validate", import.meta.url),
  new URL("../3-normalize", import.meta.url),
  new URL("../5-emit", import.meta.url),
  new URL("../model", import.meta.url),
  new URL("../text", import.meta.url),
];

/** What a packed mcpwright does not have, and what no project depends on. */
const left = /\.test\.|\.map$|[/\\](fixtures|catalogue)[/\\]/;

/**
 * Hash (SHA-256, hex) of mcpwright's templates and its emitting code. A packed mcpwright has it as a
 * constant: `packaging/bundle.ts` puts that in place of this file.
 */
export function hashOfEmittingCode(): string {
  const hash = createHash("sha256");
  for (const [index, source] of sources.entries()) {
    const folder = fileURLToPath(source);
    for (const name of namesIn(folder)) {
      hash
        .update(`${index}/${name}\0`)
        .update(readFileSync(join(folder, name)))
        .update("\0");
    }
  }
  return hash.digest("hex");
}

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !left.test(path.slice(folder.length)))
    .map((path) => path.slice(folder.length + 1).replaceAll("\\", "/"))
    .sort();
}
