import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonValue } from "../../model/json.js";

/** What checks a generated project, and runs it from source. */
const TOOLS = ["tsx", "typescript"];

/** The packages that a project needs to be checked and to run: its dependencies and two tools, sorted. */
export function neededPackages(folder: string): readonly string[] {
  return [...new Set([...TOOLS, ...dependenciesIn(join(folder, "package.json"))])].sort();
}

/** None where the file cannot be read: then generating has said so. */
function dependenciesIn(path: string): string[] {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as JsonValue;
    const dependencies = isJsonObject(value) ? value["dependencies"] : undefined;
    return isJsonObject(dependencies) ? Object.keys(dependencies) : [];
  } catch {
    return [];
  }
}

/** The `package.json` of a package as Node.js would find it from a folder; `undefined` where it is not installed. */
export function findPackage(name: string, folder: string): string | undefined {
  const path = join(folder, "node_modules", name, "package.json");
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findPackage(name, parent);
}
