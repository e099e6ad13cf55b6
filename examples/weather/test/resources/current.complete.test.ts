import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.ts";
import { createTestContext } from "../generated/testing.ts";
import { currentCompletion } from "../../src/resources/current.complete.ts";

const services = await createServices({ WEATHER_DATA: "data/forecasts.json" });

test("offers the cities that there are", async () => {
  const offered = (value: string) =>
    currentCompletion.city({ value, given: {} }, createTestContext({ services }));
  assert.equal(await offered("pa"), ["Paris"]);
  assert.equal(await offered(""), ["Berlin", "Paris", "Tokyo"]);
});

test.run();
