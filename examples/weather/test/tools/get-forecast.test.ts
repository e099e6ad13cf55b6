import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.ts";
import { ToolError } from "../../src/generated/index.ts";
import { createTestContext } from "../generated/testing.ts";
import { getForecast } from "../../src/tools/get-forecast.ts";

const services = await createServices({ WEATHER_DATA: "data/forecasts.json" });
const ctx = createTestContext({ services });

test("knows a city in any spelling of case, and gives as many days as asked", async () => {
  const forecast = await getForecast({ city: " berlin ", days: 2 }, ctx);
  assert.equal(forecast, {
    city: "Berlin",
    days: [
      { date: "2026-11-20", high: 7, low: 2, sky: "rain" },
      { date: "2026-11-21", high: 5, low: 0, sky: "clouds" },
    ],
  });
});

test("says which city it does not know", () => {
  assert.throws(
    () => getForecast({ city: "Atlantis", days: 1 }, ctx),
    (error: unknown) => error instanceof ToolError && error.message === "No forecast for Atlantis",
  );
});

test.run();
