import type { Services } from "../src/generated/index.ts";

/**
 * The services that handlers get as `ctx.services` in generated tests, instead of those that `createServices`
 * of `src/context.ts` creates. A test that needs another service is skipped, and names it.
 */
export const services: Partial<Services> = {};
