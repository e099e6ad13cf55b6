import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";

/**
 * Replaces a manifest at once: whoever reads it sees the former text or the new one. A link to it stays a link.
 *
 * @param before its bytes when it was read
 * @returns the reason why it stays as it was
 */
export function replaceManifest(
  path: string,
  before: Uint8Array,
  text: string,
): string | undefined {
  let newPath: string | undefined;
  try {
    const real = realpathSync(path);
    const { mode } = statSync(real);
    // Renaming a new file over a read-only one would succeed, against the wish of its owner.
    if ((mode & 0o222) === 0) return "it is read-only";
    newPath = `${real}.${process.pid}.new`;
    writeWhole(newPath, text, mode);
    if (!readFileSync(real).equals(before)) return "another program has changed it meanwhile";
    renameSync(newPath, real);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  } finally {
    if (newPath !== undefined) rmSync(newPath, { force: true });
  }
}

function writeWhole(path: string, text: string, mode: number): void {
  const descriptor = openSync(path, "wx", mode);
  try {
    fchmodSync(descriptor, mode);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
