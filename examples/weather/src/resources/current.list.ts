import type { ResourceTemplateList } from "../generated/index.ts";

/** The instances that there are. */
export const currentInstances: ResourceTemplateList<"current"> = (ctx) =>
  ctx.services.weather
    .citiesLike("")
    .map((city) => ({ name: `current-${city.toLowerCase()}`, title: city, variables: { city } }));
