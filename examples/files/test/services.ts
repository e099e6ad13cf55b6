import type { Services } from "../src/generated/types.ts";

/**
 * What the generated tests give to handlers as `ctx.services`, in place of what `createServices` of
 * `src/context.ts` opens. A test that needs another service is skipped, and says which.
 */
export const services: Partial<Services> = {};
