import { mkdir, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installShared } from "./installed-packages.js";

/** A compiler that accepts everything. */
export const ACCEPTS_ALL = "";

/**
 * Installs a project's packages, with a program in the place of its compiler: for tests of what becomes of a verdict, whoever
 * gives it. Most of the time of a restart is that of the compiler, whose findings `dev.test.ts` has.
 *
 * @param program the text of a module, which runs in the project's folder, prints findings as `tsc` does, and fails with them
 */
export async function installWithCompiler(folder: string, program: string): Promise<void> {
  await installShared(folder);
  const modules = join(folder, "node_modules");
  const shared = await realpath(modules);
  await rm(modules);
  const compiler = join(modules, "typescript");
  await mkdir(compiler, { recursive: true });
  for (const entry of await readdir(shared)) {
    if (entry !== "typescript") await symlink(join(shared, entry), join(modules, entry));
  }
  await writeFile(join(compiler, "tsc.mjs"), program);
  const declaration = { name: "typescript", version: "0.0.0", bin: { tsc: "tsc.mjs" } };
  await writeFile(join(compiler, "package.json"), JSON.stringify(declaration));
}
