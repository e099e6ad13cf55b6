import { test } from "uvu";
import * as assert from "uvu/assert";
import { defaultLimits } from "../engine/limits.js";
import { checkDivided, partsOfLimits } from "./divided-limits.js";

test("the parts of all workers make the whole, and each worker has one", () => {
  for (let count = 2; count <= 16; count++) {
    for (let limit = count; limit <= 40; limit++) {
      const limits = { ...defaultLimits, concurrency: limit, subscriptions: 0, connections: limit };
      checkDivided(limits, count);
      const parts = Array.from({ length: count }, (_, index) =>
        partsOfLimits(limits, index + 1, count),
      );
      const sum = (name: "concurrency" | "subscriptions" | "connections"): number =>
        parts.reduce((total, part) => total + part[name], 0);
      assert.is(sum("concurrency"), limit);
      assert.is(sum("connections"), limit);
      assert.is(sum("subscriptions"), 0, "what is not allowed stays so");
      for (const { concurrency } of parts) assert.ok(concurrency >= 1);
    }
  }
});

test("a limit that leaves a worker nothing is refused by its name", () => {
  const limits = { ...defaultLimits, connections: 3 };
  assert.throws(
    () => checkDivided(limits, 4),
    "limits.connections: 3 cannot be divided among 4 workers; start fewer of them",
  );
});

test.run();
