import { rename } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { importedPackages, lateBuiltins, lateSdk, serverOptions } from "../commands/bundle.js";

/**
 * Bundles a program of this folder in the way of published servers: each of its processes starts with a fraction of the work
 * that hundreds of modules take.
 *
 * @param name of its module
 * @returns the path of the bundle, which stands beside the module
 */
export async function bundledProgram(name: string): Promise<string> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const [entry, bundle] = [`${folder}${name}.js`, `${folder}${name}.bundle.mjs`];
  const draft = `${folder}${name}.${process.pid}.mjs`;
  const { parts } = await importedPackages(esbuild, [entry]);
  const sdk = lateSdk(esbuild.build, parts, new Set(), () => folder);
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
