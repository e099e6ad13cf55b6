import { readFile } from "node:fs/promises";
import type { Day } from "../generated/index.ts";

/** Forecasts by city, read from a JSON file once, at start. */
export class ForecastStore {
  readonly #forecasts: ReadonlyMap<string, Forecast>;

  private constructor(forecasts: readonly Forecast[]) {
    this.#forecasts = new Map(forecasts.map((forecast) => [forecast.city.toLowerCase(), forecast]));
  }

  /** Reads a file of `{ city: days }`; throws when it is missing or is not JSON. */
  static async open(path: string): Promise<ForecastStore> {
    const content = JSON.parse(await readFile(path, "utf8")) as Record<string, Day[]>;
    return new ForecastStore(Object.entries(content).map(([city, days]) => ({ city, days })));
  }

  /** The forecast of a city, in any spelling of case, from today on; `undefined` where there is none. */
  find(city: string, days: number): Forecast | undefined {
    const forecast = this.#forecasts.get(city.trim().toLowerCase());
    return forecast && { ...forecast, days: forecast.days.slice(0, days) };
  }

  /** The cities whose names start like this, in any spelling of case. */
  citiesLike(start: string): string[] {
    const wanted = start.trim().toLowerCase();
    const known = [...this.#forecasts].filter(([folded]) => folded.startsWith(wanted));
    return known.map(([, { city }]) => city).sort();
  }
}

export interface Forecast {
  readonly city: string;
  readonly days: Day[];
}
