import { statSync } from "node:fs";
import { isBuiltin } from "node:module";
import type { BuildOptions, Plugin } from "esbuild";
import { sharedValidators, unnamedPackages } from "./bundle.js";
import { importFromProject } from "./project-module.js";

type Esbuild = typeof import("esbuild");

/** The file that is written. */
const output = "dist/worker.mjs";

/**
 * The file is deployed and not handed on, so that it holds no licences. What is late on Node.js is in it as well: the start of an
 * isolate reads one file.
 */
export const workerOptions: BuildOptions = {
  bundle: true,
  format: "esm",
  platform: "browser",
  conditions: ["workerd", "worker"],
  target: "es2024",
  minify: true,
  sourcemap: true,
  // A worker has no folder. The server asks for it to find its files, which a worker has not either.
  define: { "import.meta.url": '"file:///worker.mjs"' },
  alias: { "undici/index.js": "@mcpwright/runtime/platform-agent" },
};

/** Leaves the modules of Node.js that workers have to the platform, by the names under which it has them. */
export const platformModules: Plugin = {
  name: "platform-modules",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path }) =>
      isBuiltin(path)
        ? { path: path.startsWith("node:") ? path : `node:${path}`, external: true }
        : undefined,
    );
  },
};

/** Writes the server of the project in the current folder into `dist/worker.mjs`, as workers run it. */
export async function bundleWorker(): Promise<void> {
  const { build } = await importFromProject<Esbuild>("esbuild");
  const plugins = [unnamedPackages, sharedValidators, platformModules];
  try {
    const file = { entryPoints: ["src/generated/worker.ts"], outfile: output };
    await build({ ...workerOptions, ...file, plugins, logLevel: "warning" });
    console.log(`${output}: ${Math.ceil(statSync(output).size / 1_024)} kB`);
  } catch (error) {
    // esbuild has already reported the errors in the sources.
    if (!(error instanceof Error && "errors" in error)) throw error;
    process.exitCode = 1;
  }
}
