import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { copyServedFolder } from "./copy-folder.js";
import { importFromProject } from "./project-module.js";

/*
 * Writes the contents of a bundle for desktop clients into `dist/mcpb/`: the server in one file, the
 * bundle's manifest, and the files and folders that clients read. `npm run mcpb` packs that folder.
 */

/** The data that the compiler has written to `src/generated/mcpb.json`. */
interface BundleContents {
  readonly manifest: object;
  readonly icons: readonly { readonly path: string; readonly data: string }[];
  readonly files: readonly string[];
  readonly folders: readonly { readonly path: string; readonly hidden: boolean }[];
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly engines?: { readonly node?: string };
}

const folder = "dist/mcpb";
const server = "dist/bundle.mjs";

/** The packages that `dist/bundle.mjs` still imports. There must be none, since clients install no packages. */
async function packagesOutside(): Promise<string[]> {
  const { build } = await importFromProject<typeof import("esbuild")>("esbuild");
  const { metafile } = await build({
    entryPoints: [server],
    bundle: true,
    format: "esm",
    logLevel: "silent",
    metafile: true,
    packages: "external",
    platform: "node",
    write: false,
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const names = imports.map(({ path }) => path).filter((path) => !isBuiltin(path));
  return [...new Set(names)].sort();
}

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

async function fill(): Promise<void> {
  const { manifest, icons, files, folders } = JSON.parse(
    await readFile("src/generated/mcpb.json", "utf8"),
  ) as BundleContents;
  const { name, version, type, engines } = JSON.parse(
    await readFile("package.json", "utf8"),
  ) as Package;
  const node = engines?.node;
  const described = {
    ...manifest,
    version,
    ...(node !== undefined && { compatibility: { runtimes: { node } } }),
  };
  await rm(folder, { recursive: true, force: true });
  await write("manifest.json", `${JSON.stringify(described, null, 2)}\n`);
  // The server looks for its files in the folder of its package.json.
  await write("package.json", `${JSON.stringify({ name, version, type }, null, 2)}\n`);
  for (const { path, data } of icons) await write(path, Buffer.from(data, "base64"));
  for (const path of [server, ...files]) await cp(path, join(folder, path));
  for (const { path, hidden } of folders) {
    await copyServedFolder(path, join(folder, path), hidden);
  }
  // By default, bundles leave out logs, maps and similar files. These lines include what clients read.
  const literal = (path: string): string => `!/${path.replace(/[\\*?[\]]/g, "\\$&")}`;
  const included = [...files.map(literal), ...folders.map(({ path }) => `${literal(path)}/**`)];
  await write(".mcpbignore", `${included.join("\n")}\n`);
}

/** Writes the contents of the bundle. Fails with a message if the server needs packages that cannot be part of it. */
export async function writeDesktopBundle(): Promise<void> {
  const outside = await packagesOutside();
  if (outside.length === 0) return fill();
  const why = "they find files by their own place, and a bundle has no node_modules";
  console.error(`These packages cannot be part of a bundle, since ${why}: ${outside.join(", ")}`);
  process.exitCode = 1;
}
