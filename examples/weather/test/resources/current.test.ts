import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.ts";
import { NotFoundError } from "../../src/generated/index.ts";
import { createTestContext } from "../generated/testing.ts";
import { current } from "../../src/resources/current.ts";

const services = await createServices({ WEATHER_DATA: "data/forecasts.json" });
const ctx = createTestContext({ services });

test("gives today's weather as JSON", async () => {
  const answer = await current({ city: "Tokyo" }, ctx);
  assert.equal(JSON.parse(String(answer)), {
    date: "2026-11-20",
    high: 16,
    low: 9,
    sky: "clear",
  });
});

test("has no resource for an unknown city", () => {
  assert.throws(
    () => current({ city: "Atlantis" }, ctx),
    (error: unknown) => error instanceof NotFoundError,
  );
});

test.run();
