import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Finds modules as the project in the current folder does, which installs the tools that its scripts need. */
export const projectRequire: NodeJS.Require = createRequire(join(process.cwd(), "package.json"));

/** Imports a package of the project. @throws Error if the project does not have it */
export async function importFromProject<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(projectRequire.resolve(name)).href)) as Module;
}
