import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import { readText } from "../read-text.js";

/** The packages that type-check a generated project and run it from source. */
const TOOLS = ["tsx", "typescript"];

/** The members of package.json that name packages. The runtime and what it needs are in the second. */
const SECTIONS = ["dependencies", "devDependencies"] as const;

/** The sorted names of the packages that type-checking and running a project needs: its dependencies and two tools. */
export function neededPackages(folder: string): readonly string[] {
  return [...new Set([...TOOLS, ...dependenciesIn(join(folder, "package.json"))])].sort();
}

/** The dependencies in a package.json. None if the file cannot be read, which `generate` has already reported. */
function dependenciesIn(path: string): string[] {
  try {
    const value = JSON.parse(readText(path) ?? "") as JsonValue;
    if (!isJsonObject(value)) return [];
    return SECTIONS.flatMap((section) => {
      const listed = value[section];
      return isJsonObject(listed) ? Object.keys(listed) : [];
    });
  } catch {
    return [];
  }
}

/** The path of a package's `package.json`, as Node.js finds it from a folder. `undefined` if it is not installed. */
export function findPackage(name: string, folder: string): string | undefined {
  const path = join(folder, "node_modules", name, "package.json");
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findPackage(name, parent);
}
