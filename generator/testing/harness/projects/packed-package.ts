import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { installQuietly, npm } from "../runner/programs.js";

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

/** @returns the path of the tarball */
export async function packInto(destination: string, source: string): Promise<string> {
  return join(destination, (await pack(source, "--pack-destination", destination)).filename);
}

/** Packs this package into a folder, and installs it there. @returns what npm says of it */
export async function installPacked(folder: string): Promise<Packed> {
  const packed = await pack(projectRoot, "--pack-destination", folder);
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  await installQuietly(folder, join(folder, packed.filename));
  return packed;
}
