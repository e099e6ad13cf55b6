import { test } from "uvu";
import * as assert from "uvu/assert";
import { nearestName } from "./nearest-name.js";

const keys = ["inputSchema", "outputSchema", "name", "description"];

test("the nearest name is the one with the fewest edits", () => {
  assert.is(nearestName("inputShema", keys), "inputSchema");
  assert.is(nearestName("INPUTSCHEMA", keys), "inputSchema");
  assert.is(nearestName("nmae", keys), "name");
  assert.is(nearestName("descriptoin", keys), "description");
});

test("there is no nearest name if all candidates differ too much", () => {
  assert.is(nearestName("zzz", keys), undefined);
  assert.is(nearestName("", keys), undefined);
  assert.is(nearestName("x".repeat(10_000), keys), undefined);
});

test.run();
