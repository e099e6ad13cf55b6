import { resolve } from "node:path";
import { projectRoot, type Env } from "./generated/index.ts";
import { ForecastStore } from "./weather/forecast-store.ts";

/** Made at start and given to every handler as `ctx.services`. */
export async function createServices(env: Env) {
  return { weather: await ForecastStore.open(resolve(projectRoot, env.WEATHER_DATA)) };
}

/** Called at stop, after the last request has been answered. */
export async function closeServices(): Promise<void> {}
