import { resolve } from "node:path";
import { projectRoot, type Env } from "./generated/index.ts";
import { Workspace } from "./workspace/workspace.ts";

/** Made at start and given to every handler as `ctx.services`. */
export async function createServices(env: Env) {
  return { workspace: await Workspace.open(resolve(projectRoot, env.WORKSPACE)) };
}

/** Called at stop, after the last request has been answered. */
export async function closeServices(): Promise<void> {}
