import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.ts";
import { createTestContext } from "../generated/testing.ts";
import { currentInstances } from "../../src/resources/current.list.ts";

const services = await createServices({ WEATHER_DATA: "data/forecasts.json" });

test("lists a resource for each city", async () => {
  const listed = await currentInstances(createTestContext({ services }));
  assert.equal(
    listed.map(({ title }) => title),
    ["Berlin", "Paris", "Tokyo"],
  );
});

test.run();
