import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.ts";
import { createTestContext } from "../generated/testing.ts";
import { planTripCompletion } from "../../src/prompts/plan-trip.complete.ts";

const services = await createServices({ WEATHER_DATA: "data/forecasts.json" });

test("offers the cities that start as typed", async () => {
  const offered = (value: string) =>
    planTripCompletion.city({ value, given: {} }, createTestContext({ services }));
  assert.equal(await offered("to"), ["Tokyo"]);
  assert.equal(await offered("x"), []);
});

test.run();
