import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { soak } from "./soak-server/soak.js";
import { buildSoakProject } from "./soak-server/soak-project.js";

/**
 * The short form of `npm run soak:server`. In `npm test`, `hostile-requests.test.ts` stands for it: it attacks a generated server
 * while an honest client calls it, and looks for leaks.
 */
test("a generated server under load and attack answers each client and stops cleanly", async () => {
  const folder = await buildSoakProject();
  try {
    const least = { leastCalls: 300, leastAttacks: 10 };
    const report = await soak(folder, {
      durationMs: 60_000,
      warmUpMs: 3_000,
      ...least,
      seed: 1,
    });
    const { wrong, lostAtStop, exitStatus, heapWarm, heapEnd } = report;
    assert.equal(wrong, []);
    assert.ok(report.calls >= 300 && report.attacks >= 10, JSON.stringify(report));
    assert.equal([report.runningAtStop, report.finishedAtStop], [120, 120]);
    assert.equal(lostAtStop, []);
    assert.is(exitStatus, 0);
    assert.ok(heapEnd <= 1.2 * heapWarm, `the heap went from ${heapWarm} to ${heapEnd} bytes`);
  } finally {
    await rm(dirname(folder), { recursive: true, force: true });
  }
});

test.run();
