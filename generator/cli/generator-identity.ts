import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GeneratorIdentity } from "../plan.js";
import { packageRoot } from "./package-root.js";
import { mcpwrightVersion } from "./version.js";

/** All that decides what projects look like: what is copied or rendered, and the code that emits. */
const sources = [
  new URL("schemas", packageRoot),
  new URL("templates", packageRoot),
  new URL("../3-normalize", import.meta.url),
  new URL("../5-emit", import.meta.url),
  new URL("../model", import.meta.url),
  new URL("../text", import.meta.url),
];

/** What a packed mcpwright does not have, and what no project depends on. */
const left = /\.test\.|\.map$|[/\\](fixtures|catalogue)[/\\]/;

/** This mcpwright's version, and the hash of its templates and its emitting code. */
export function generatorIdentity(): GeneratorIdentity {
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
  return { version: mcpwrightVersion(), templates: hash.digest("hex") };
}

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !left.test(path.slice(folder.length)))
    .map((path) => path.slice(folder.length + 1).replaceAll("\\", "/"))
    .sort();
}
