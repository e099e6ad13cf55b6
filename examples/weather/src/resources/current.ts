import { NotFoundError, type ResourceTemplateHandler } from "../generated/index.ts";

/** Today's weather in one city. */
export const current: ResourceTemplateHandler<"current"> = ({ city }, ctx) => {
  const today = ctx.services.weather.find(city, 1)?.days[0];
  if (!today) throw new NotFoundError();
  return JSON.stringify(today);
};
