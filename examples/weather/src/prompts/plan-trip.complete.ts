import type { PromptCompletion } from "../generated/index.ts";

/** Values that clients offer. */
export const planTripCompletion: PromptCompletion<"plan_trip"> = {
  city: ({ value }, ctx) => ctx.services.weather.citiesLike(value),
};
