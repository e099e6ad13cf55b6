import { Loans } from "./library/loans.ts";

/** Made at start and given to every handler as `ctx.services`. */
export async function createServices() {
  return { loans: new Loans() };
}

/** Called at stop, after the last request has been answered. */
export async function closeServices(): Promise<void> {}
