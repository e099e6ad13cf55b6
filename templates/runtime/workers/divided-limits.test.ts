import { test } from "uvu";
import * as assert from "uvu/assert";
import { defaultLimits } from "../engine/limits.js";
import { checkDivided, partsOfLimits } from "./divided-limits.js";

test("the parts of a limit that workers get add up to the limit, and each worker gets some", () => {
  for (let count = 2; count <= 16; count++) {
    for (let limit = count; limit <= 40; limit++) {
      const open = { concurrency: limit, connections: limit, sessions: limit };
      const limits = { ...defaultLimits, ...open, subscriptions: 0 };
      checkDivided(limits, count, true);
      const parts = Array.from({ length: count }, (_, index) =>
        partsOfLimits(limits, index + 1, count),
      );
      const sum = (name: "concurrency" | "subscriptions" | "connections" | "sessions"): number =>
        parts.reduce((total, part) => total + part[name], 0);
      assert.is(sum("concurrency"), limit);
      assert.is(sum("connections"), limit);
      assert.is(sum("sessions"), limit);
      assert.is(sum("subscriptions"), 0, "what is not allowed stays so");
      for (const { concurrency } of parts) assert.ok(concurrency >= 1);
    }
  }
});

test("a limit that leaves a worker nothing is refused by its name", () => {
  const limits = { ...defaultLimits, connections: 3 };
  assert.throws(
    () => checkDivided(limits, 4, false),
    "limits.connections: 3 cannot be divided among 4 workers; start fewer of them",
  );
  const few = { ...defaultLimits, sessions: 3 };
  assert.throws(() => checkDivided(few, 4, true), "limits.sessions: 3 cannot be divided");
  assert.not.throws(() => checkDivided(few, 4, false));
});

test.run();
