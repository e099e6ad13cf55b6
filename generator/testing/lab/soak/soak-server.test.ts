import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { HonestRecord } from "./soak-server/honest-clients.js";
import { soak } from "./soak-server/soak.js";
import { buildSoakProject } from "./soak-server/soak-project.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

test("a wrong, repeated or missing answer is noticed", () => {
  const right = '{"id":"1-1","result":{"text":"t3xt-1-1"}}';
  for (const [answer, isRight] of [
    [right, true],
    [right.replace("t3xt-1-1", "t3xt-2-7"), false],
    [right.replace('"1-1"', '"2-7"'), false],
    [right.replace("t3xt-1-1", "t3xt-1-1 t3xt-2-7"), false],
    ['{"id":"1-1","error":{}}', false],
  ] as const) {
    const record = new HonestRecord();
    record.check("1-1", "t3xt-1-1", answer);
    assert.is(record.wrong.length === 0, isRight, answer);
  }
});

/** The short form of `npm run soak:server`. */
test("a generated server under load and attack answers each client and stops cleanly", async () => {
  const folder = await buildSoakProject();
  try {
    const least = { leastCalls: 300, leastAttacks: 10 };
    const report = await soak(folder, {
      durationMs: shortOrLong(2_000, 60_000),
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
