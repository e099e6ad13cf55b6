import { test } from "uvu";
import * as assert from "uvu/assert";
import { NODE_VERSIONS, versionsOf } from "./node-programs.js";

for (const day of [20_000, 20_001]) {
  test(`day ${day} and the next have each version of Node.js once, half of them each day`, () => {
    const [today, tomorrow] = [versionsOf(day), versionsOf(day + 1)];
    assert.equal([...today, ...tomorrow].sort(), [...NODE_VERSIONS].sort());
    assert.is(today.length, tomorrow.length);
  });
}

test.run();
