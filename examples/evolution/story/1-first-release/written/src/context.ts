import { join } from "node:path";
import { projectRoot } from "./generated/index.js";
import { Library } from "./library/library.js";

/** Made at start and given to every handler as `ctx.services`. */
export async function createServices() {
  return { library: await Library.open(join(projectRoot, "data/library.json")) };
}

/** Called at stop, after the last request has been answered. */
export async function closeServices(): Promise<void> {}
