import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRequire } from "./project-module.js";

/**
 * Compiles the project in the current folder with its own TypeScript. The former result is removed first, so
 * that no test or module of a removed item remains. What else is in `dist/`, such as the bundle, stays.
 */
export function compile(): void {
  for (const folder of ["src", "test"]) {
    rmSync(join("dist", folder), { recursive: true, force: true });
  }
  const about = projectRequire.resolve("typescript/package.json");
  const { bin } = projectRequire(about) as { readonly bin: { readonly tsc: string } };
  const compiler = join(dirname(about), bin.tsc);
  const { status } = spawnSync(process.execPath, [compiler], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
