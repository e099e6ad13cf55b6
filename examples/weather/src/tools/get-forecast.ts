import { ToolError, type ToolHandler } from "../generated/index.ts";

/** Daily forecast for one city. */
export const getForecast: ToolHandler<"get_forecast"> = ({ city, days }, ctx) => {
  const forecast = ctx.services.weather.find(city, days);
  if (!forecast) throw new ToolError(`No forecast for ${city}`);
  return forecast;
};
