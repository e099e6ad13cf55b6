import { readdirSync, readFileSync } from "node:fs";
import { packageRoot } from "../text/package-root.js";

/**
 * The texts of the licences of all packages that a bundle contains, since the licences demand that copies
 * include them. For a package without a licence file, the name of the licence and the author.
 *
 * @param modules paths relative to mcpwright's folder
 * @throws Error if a package has no licence
 */
export function licencesOf(modules: readonly string[]): string {
  const packages = new Set(modules.flatMap((path) => packageOf(path) ?? []));
  return [...packages].sort().map(licenceOf).join("\n");
}

function packageOf(path: string): string | undefined {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function licenceOf(name: string): string {
  const folder = new URL(`node_modules/${name}/`, packageRoot);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const about = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
    readonly version: string;
    readonly license?: string;
    readonly author?: string;
  };
  const { version, license, author } = about;
  if (file === undefined && license !== undefined && author !== undefined) {
    return `${name} ${version}\n\n${license}, by ${author}\n`;
  }
  if (file === undefined) throw new Error(`${name} has no licence`);
  return `${name} ${version}\n\n${readFileSync(new URL(file, folder), "utf8").trim()}\n`;
}
