import type { Services } from "../src/generated/index.ts";
import { Loans } from "../src/library/loans.ts";

/**
 * What the generated tests give to handlers as `ctx.services`, in place of what `createServices` of
 * `src/context.ts` opens. A test that needs another service is skipped, and says which.
 */
export const services: Partial<Services> = { loans: new Loans() };
