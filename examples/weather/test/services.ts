import { createServices } from "../src/context.ts";
import type { Services } from "../src/generated/index.ts";

/** The generated tests read the forecasts that the project has, which no call changes. */
export const services: Partial<Services> = await createServices({
  WEATHER_DATA: "data/forecasts.json",
});
