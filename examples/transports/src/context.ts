import { watch } from "node:fs";
import { join } from "node:path";
import { projectRoot, type Env, type ServerControls } from "./generated/index.ts";

/** Made at start and given to every handler as `ctx.services`. */
export async function createServices(_env: Env, { notify }: ServerControls) {
  // Editors put another file in the place of the one that they save: the folder is what stays.
  const notices = watch(join(projectRoot, "notices"), (_event, name) => {
    if (name === "notice.txt") notify.resourceUpdated("transports://notice");
  });
  return { notices };
}

/** Called at stop, after the last request has been answered. */
export async function closeServices({
  notices,
}: Awaited<ReturnType<typeof createServices>>): Promise<void> {
  notices.close();
}
