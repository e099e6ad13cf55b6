import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import type { GenerationKind } from "../cli/terminal.js";

/** A CommonJS module that has been run. */
export interface CachedModule<Exports> {
  readonly exports: Exports;
  /**
   * Keeps the code that V8 has compiled by now for later processes, where a run of these kinds has compiled
   * some that is not kept yet. Where that cannot be written, nothing happens.
   */
  readonly keepCode: (kinds: ReadonlySet<GenerationKind>) => void;
}

/** The cache is one file for each V8 that reads it; of those that nobody may need any more, few are left. */
const mostFiles = 4;
/** In front of what V8 made: a checksum, and a bit for each kind of run in it. V8 wants the rest aligned. */
const headLength = 8;
const bits: Readonly<Record<GenerationKind, number>> = { first: 1, further: 2 };

/**
 * What makes a script of a CommonJS module, as Node.js does it. In the file, since putting a large text
 * together takes as long as reading it.
 */
export const AROUND_MODULE = {
  before: "(function (exports, require, module, __filename, __dirname) { ",
  after: "\n})",
};

/**
 * Runs a CommonJS module with the code that V8 compiled for former processes, if there is any: compiling
 * costs more than all else that a short run does. V8 compiles a function when it is first called, so what is
 * kept has the functions that were called by then.
 *
 * V8's flags have to be set before, since they tell which code fits.
 *
 * @param file absolute path; what is {@link AROUND_MODULE} is in it. ASCII only, and without `import()`
 * @param folder where the code is kept. As trusted as `file`: both are run.
 * @param require of a module in the same folder as `file`
 */
export function loadCached<Exports>(
  file: string,
  folder: string,
  require: NodeJS.Require,
): CachedModule<Exports> {
  const source = readFileSync(file);
  const seed = crc32(source);
  const path = join(folder, nameFor(seed));
  const kept = readKept(path, seed);
  const script = new Script(source.toString("latin1"), {
    filename: file,
    ...(kept && { cachedData: kept.code }),
  });
  const known = kept !== undefined && script.cachedDataRejected === false ? kept.kinds : 0;
  const module = { exports: {} };
  const run = script.runInThisContext() as (...parameters: unknown[]) => void;
  run(module.exports, require, module, file, dirname(file));
  return {
    exports: module.exports as Exports,
    keepCode(kinds) {
      const all = [...kinds].reduce((sum, kind) => sum | bits[kind], known);
      if (all !== known) writeKept(path, seed, all, () => script.createCachedData());
    },
  };
}

/** Another text, another V8, or the same with other flags or on another processor finds no code that is not its own. */
function nameFor(seed: number): string {
  const { platform, arch, versions } = process;
  const hashes = [cachedDataVersionTag(), seed].map((hash) => hash.toString(16));
  return [versions.v8, platform, arch, ...hashes].join("-");
}

/** V8 itself does not notice bytes that have changed, and may crash over them. */
function readKept(path: string, seed: number): { kinds: number; code: Buffer } | undefined {
  try {
    const bytes = readFileSync(path);
    if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(4), seed)) return undefined;
    return { kinds: bytes.readUInt32LE(4), code: bytes.subarray(headLength) };
  } catch {
    return undefined;
  }
}

function writeKept(path: string, seed: number, kinds: number, code: () => Buffer): void {
  try {
    makeRoom(dirname(path));
    placeWhole(path, () => {
      const bytes = Buffer.concat([Buffer.alloc(headLength), code()]);
      bytes.writeUInt32LE(kinds, 4);
      bytes.writeUInt32LE(crc32(bytes.subarray(4), seed), 0);
      return bytes;
    });
  } catch {
    // A package that cannot be written to has no cache.
  }
}

/** Makes the bytes only where they can be written; others may be reading, or writing, the file meanwhile. */
function placeWhole(path: string, bytes: () => Buffer): void {
  const temporary = `${path}.${process.pid}`;
  const file = openSync(temporary, "wx", 0o644);
  try {
    try {
      writeFileSync(file, bytes());
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function makeRoom(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const names = readdirSync(folder);
  if (names.length < mostFiles) return;
  for (const name of names) rmSync(join(folder, name), { force: true });
}
