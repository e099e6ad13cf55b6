import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { getCurrentTime } from "../../src/tools/get-current-time.ts";

const ctx = createTestContext();

const cases = [
  { timezone: "UTC", offset: "+00:00" },
  { timezone: "Asia/Shanghai", offset: "+08:00" },
  { timezone: "Asia/Kolkata", offset: "+05:30" },
  { timezone: "America/Phoenix", offset: "-07:00" },
];

for (const { timezone, offset } of cases) {
  test(`gives the time of ${timezone} with its offset`, async () => {
    const before = Date.now();
    const answer = (await getCurrentTime({ timezone }, ctx)) as { time: string };
    assert.ok(answer.time.endsWith(offset), answer.time);
    const distance = new Date(answer.time).getTime() - before;
    assert.ok(Math.abs(distance) < 60_000, `${distance} ms from now`);
  });
}

test("says which time zone it does not know", () => {
  assert.throws(
    () => getCurrentTime({ timezone: "Mars/Olympus" }, ctx),
    "Unknown time zone Mars/Olympus",
  );
});

test.run();
