import type { ResourceTemplateCompletion } from "../generated/index.ts";

/** Values that clients offer. */
export const currentCompletion: ResourceTemplateCompletion<"current"> = {
  city: ({ value }, ctx) => ctx.services.weather.citiesLike(value),
};
