import type { ResourceTemplateCompletion } from "../generated/index.js";

/** Values that clients offer. */
export const currentCompletion: ResourceTemplateCompletion<"current"> = {
  city: ({ value }, ctx) => ctx.services.weather.citiesLike(value),
};
