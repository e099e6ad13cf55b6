import { isJsonObject, type JsonObject } from "../model/json.js";
import type { OutputFile } from "../model/output-file.js";
import type { LockState } from "./read-lock.js";

/** Packages that handlers may need although the manifest does not say so: `ctx.directories` needs `mime`. */
const PACKAGES = ["mime"];

/** Keeps such packages in `package.json` once a generation has written them there. People may remove them. */
export function withKeptPackages(
  files: readonly OutputFile[],
  lock: LockState,
): readonly OutputFile[] {
  const base = lock.kind === "read" ? lock.lock.files.get("package.json")?.base : undefined;
  const written = isJsonObject(base) ? base["devDependencies"] : undefined;
  if (!isJsonObject(written)) return files;
  const names = PACKAGES.filter((name) => Object.hasOwn(written, name));
  if (names.length === 0) return files;
  const kept = Object.fromEntries(names.map((name) => [name, written[name]]));
  return files.map((file) =>
    file.path === "package.json" ? { ...file, content: withPackages(file.content, kept) } : file,
  );
}

function withPackages(packageJson: string, kept: object): string {
  const value = JSON.parse(packageJson) as { readonly devDependencies?: JsonObject };
  // What stands there already keeps its place and its version.
  const devDependencies = { ...value.devDependencies, ...kept, ...value.devDependencies };
  return `${JSON.stringify({ ...value, devDependencies }, undefined, 2)}\n`;
}
