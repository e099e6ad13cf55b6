import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";

/** The packages that this test finds in a bundle are installed here, or in the project itself. */
const ours = fileURLToPath(new URL("node_modules", packageRoot));

/** A folder of the SDK's repository, which its source maps name as if it lay beside the SDK. */
const OF_THE_SDK = "@modelcontextprotocol/core-internal";

/**
 * The names of the packages from which code gets into a project's bundle. Source maps say so, which lead from the SDK to
 * the packages that it was built from.
 *
 * @param outside packages that the bundle leaves out
 */
async function packagesIn(folder: string, outside: readonly string[]): Promise<string[]> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["src/main.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["mime", ...outside],
    outfile: "bundle.mjs",
    sourcemap: "external",
    write: false,
  });
  const map = outputFiles.find(({ path }) => path.endsWith(".map"));
  const { sources } = JSON.parse(map?.text ?? "") as { readonly sources: readonly string[] };
  const names = sources.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const isPackage = (name?: string): name is string => name !== undefined && name !== OF_THE_SDK;
  return [...new Set(names.filter(isPackage))].sort();
}

/** The text of a package's licence as a bundle has it, or what its package file says where there is none. */
async function licenceOf(folder: string, name: string): Promise<string> {
  for (const modules of [join(folder, "node_modules"), ours]) {
    const files = await readdir(join(modules, name)).catch(() => []);
    const file = files.find((entry) => /^licen[cs]e/i.test(entry));
    if (file !== undefined) return readFile(join(modules, name, file), "utf8");
    if (files.length > 0) return "MIT";
  }
  throw new Error(`${name} is nowhere`);
}

/** A text whatever its quotation marks, and however its comment ends. */
function plain(text: string): string {
  return text
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2018\u2019]/g, "'")
    .replaceAll("*/", "* /")
    .trim();
}

/**
 * Asserts that a bundle has the name and the licence of each package in it.
 *
 * @param folder the project, which is installed
 * @param bundle the text of the bundle
 * @returns the names of the packages
 */
export async function assertLicences(
  folder: string,
  bundle: string,
  outside: readonly string[] = [],
): Promise<string[]> {
  const names = await packagesIn(folder, outside);
  const licences = bundle.slice(bundle.lastIndexOf("/*! The licences of the packages"));
  const entries = new Map<string, string>();
  for (const entry of licences.split(
    /^(?=(?:@[\w.-]+\/)?[\w.-]+(?: \d+\.\d+\.\d+\S*)?(?:, in .*|(?<=\d\S*))\n\n)/m,
  )) {
    const [, name] = /^(\S+)/.exec(entry) ?? [];
    if (name !== undefined) entries.set(name, entry);
  }
  for (const name of names) {
    const entry = entries.get(name);
    assert.ok(entry !== undefined, `${name} is in the bundle, its licence is not`);
    assert.ok(entry.includes(plain(await licenceOf(folder, name))), `${name}: ${entry}`);
  }
  return names;
}
