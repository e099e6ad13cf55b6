import type { Env, ServerControls } from "./generated/index.ts";
import { ProductChanges } from "./products/product-changes.ts";

/** Made at start and given to every handler as `ctx.services`. */
export async function createServices(env: Env, { notify }: ServerControls) {
  const changes = new ProductChanges(env.SHOP_DB, () => notify.resourceUpdated("shop://products"));
  // The server serves while the database cannot be reached.
  void changes.open();
  return { changes };
}

/** Called at stop, after the last request has been answered. */
export async function closeServices({
  changes,
}: Awaited<ReturnType<typeof createServices>>): Promise<void> {
  await changes.close();
}
