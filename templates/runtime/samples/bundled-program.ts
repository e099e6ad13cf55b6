import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { importedPackages, lateBuiltins, lateSdk, serverOptions } from "../commands/bundle.js";

/**
 * Bundles a program of tests in the way of published servers: each of its processes starts with a fraction of the work that
 * hundreds of modules take. To a module that looks for files beside itself, the folder is that of the bundle.
 *
 * @param module a compiled module
 * @returns the path of the bundle, which stands beside the module
 */
export async function bundledProgram(module: URL): Promise<string> {
  const entry = fileURLToPath(module);
  const bundle = entry.replace(/\.js$/, ".bundle.mjs");
  const draft = entry.replace(/\.js$/, `.${process.pid}.mjs`);
  const { parts } = await importedPackages(esbuild, [entry]);
  const sdk = lateSdk(esbuild.build, parts, new Set(), () => dirname(entry));
  await esbuild.build({
    ...serverOptions,
    entryPoints: [entry],
    outfile: draft,
    plugins: [sdk, lateBuiltins],
    logLevel: "error",
  });
  // Another test file may run the bundle of the same program now.
  await rename(draft, bundle);
  return bundle;
}
