import { test } from "uvu";
import * as assert from "uvu/assert";
import { holdTimers } from "../samples/held-timers.js";
import { whenExpired } from "./authorized-streams.js";

test("credentials expire by the clock's current time, even if the clock has jumped", async () => {
  const { now } = Date;
  const [started, hour] = [now(), 3_600_000];
  let jump = 0;
  Date.now = () => started + jump;
  // The time between two checks is at most this long, however long the credentials are valid.
  const timers = holdTimers(30_000);
  try {
    const credentials = { principal: "ada", scopes: [], expiresAt: (started + hour) / 1_000 };
    let ended = 0;
    whenExpired(credentials, () => (ended += 1));
    const callOff = whenExpired(credentials, () => (ended += 100));
    await new Promise((resolve) => setImmediate(() => setTimeout(resolve, 5)));
    jump = -24 * hour;
    timers.end();
    assert.is(ended, 0, "set back");
    callOff();
    jump = hour + 1;
    timers.end();
    assert.is(ended, 1, "set forward");
  } finally {
    timers.release();
    Date.now = now;
  }
});

test.run();
