import { createHash, type Hash } from "node:crypto";
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { makeOnce } from "../runner/make-once.js";
import { installQuietly, npm } from "../runner/programs.js";
import { buildsFolder } from "./built-project.js";
import { linkFolder } from "./own-packages.js";

/** This package as npm packs it, and as it is installed elsewhere. */
const projectRoot = fileURLToPath(packageRoot);

interface PackedFile {
  readonly path: string;
  readonly size: number;
}

/** What npm says of a package that it packs, or would pack. */
interface Packed {
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly PackedFile[];
}

/** Packs the existing build, since a new build would remove `dist`, which other tests use. */
async function pack(source: string, ...flags: readonly string[]): Promise<Packed> {
  const out = await npm(source, "pack", "--json", "--silent", "--ignore-scripts", ...flags);
  const [packed] = JSON.parse(out.slice(out.indexOf("[\n"), out.lastIndexOf("]") + 1)) as Packed[];
  assert.ok(packed, out);
  return packed;
}

/** @returns the path of the tarball of this package */
export async function packInto(destination: string): Promise<string> {
  return join(destination, (await packOnce(destination)).filename);
}

/** What makes the tarball: all that `files` of package.json may name, and what npm packs always. */
const PACKED = [
  ...["package.json", "README.md", "CHANGELOG.md", "LICENSE", "schemas", "templates/project"],
  ...["dist/generator/bundle", "dist/llms.txt", "dist/runtime.json", "dist/runtime.tgz"],
  ...["dist/skills", "generator/4-compare/catalogue", "generator/model/catalogue"],
];

/** Packs this package into a folder. npm packs the same files once; other test files get a copy. */
async function packOnce(destination: string): Promise<Packed> {
  const key = createHash("sha256");
  for (const path of PACKED) await addTo(key, join(projectRoot, path));
  const folder = join(buildsFolder, `tarball-${key.digest("hex").slice(0, 32)}`);
  await makeOnce(folder, async (staging) => {
    const packed = await pack(projectRoot, "--pack-destination", staging);
    await writeFile(join(staging, "package.json"), JSON.stringify(packed));
  });
  const packed = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Packed;
  await cp(join(folder, packed.filename), join(destination, packed.filename));
  return packed;
}

/** Adds a file, or those below a folder, with their paths. */
async function addTo(key: Hash, path: string): Promise<void> {
  const isFolder = (await stat(path)).isDirectory();
  if (!isFolder) return void key.update(`\0${path}\0`).update(await readFile(path));
  for (const name of (await readdir(path)).sort()) await addTo(key, join(path, name));
}

/**
 * Packs this package into a folder, and gives the folder what npm installs of it. On a version of Node.js, npm installs a
 * tarball once; the files are hard links to what it has installed, which nobody may write.
 *
 * @returns what npm says of the tarball
 */
export async function installPacked(folder: string): Promise<Packed> {
  const packed = await packOnce(folder);
  const packages = join(await installedOnce(join(folder, packed.filename)), "node_modules");
  const place = join(folder, "node_modules");
  await writeFile(join(folder, "package.json"), ALONE);
  await linkFolder(packages, place);
  // Links to the programs of packages.
  await cp(join(packages, ".bin"), join(place, ".bin"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return packed;
}

/** A package whose packages nobody else gets. */
const ALONE = '{ "private": true }';

/** @returns the folder in which npm has installed a tarball */
async function installedOnce(tarball: string): Promise<string> {
  const key = createHash("sha256")
    .update(process.version)
    .update(await readFile(tarball));
  const folder = join(buildsFolder, `packed-${key.digest("hex").slice(0, 32)}`);
  await makeOnce(folder, async (staging) => {
    await writeFile(join(staging, "package.json"), ALONE);
    await installQuietly(staging, tarball);
  });
  return folder;
}
