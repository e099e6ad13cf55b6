import type { ResourceHandler } from "../generated/index.ts";
import { callerOf } from "../library/caller.ts";

/** The books that whoever reads this has borrowed. Only they are told of changes. */
export const loans: ResourceHandler<"loans"> = (_uri, ctx) =>
  JSON.stringify(ctx.services.loans.of(callerOf(ctx)));
