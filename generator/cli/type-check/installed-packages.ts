import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The `package.json` of a package as Node.js would find it from a folder; `undefined` where it is not installed. */
export function findPackage(name: string, folder: string): string | undefined {
  const path = join(folder, "node_modules", name, "package.json");
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findPackage(name, parent);
}
