import { test } from "uvu";
import * as assert from "uvu/assert";
import { nearestName, nearestNames } from "./nearest-name.js";

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

test("several names may be meant: the nearest one, and those that hold the name or are held by it", () => {
  assert.equal(nearestNames("shema", keys), []);
  assert.equal(nearestNames("schema", keys), ["inputSchema", "outputSchema"]);
  assert.equal(nearestNames("nmae", keys), ["name"]);
  assert.equal(nearestNames("the description of it", keys), ["description"]);
  assert.equal(nearestNames("e", keys), [], "a letter is part of too many");
});

test.run();
