import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpRateLimit } from "./rate-limit.js";

/** Returns the answers to this number of requests at the same time. */
function burst(limit: HttpRateLimit, client: string, count: number, now: number): number[] {
  return Array.from({ length: count }, () => limit.take(client, now));
}

test("a client may send the requests of one second at once, and then that many each second", () => {
  const limit = new HttpRateLimit(5);
  assert.equal(burst(limit, "192.0.2.1", 6, 1_000), [0, 0, 0, 0, 0, 1]);
  assert.equal(burst(limit, "192.0.2.1", 3, 1_400), [0, 0, 1], "two more after 0.4 s");
  assert.equal(burst(limit, "192.0.2.1", 6, 60_000), [0, 0, 0, 0, 0, 1], "no more is saved up");
});

test("a refusal says how long to wait, also at a rate below one a second", () => {
  const limit = new HttpRateLimit(0.1);
  assert.equal(burst(limit, "192.0.2.1", 2, 0), [0, 10]);
  assert.is(limit.take("192.0.2.1", 9_000), 1);
  assert.is(limit.take("192.0.2.1", 10_000), 0);
});

test("each client has its own rate, and the addresses of one IPv6 network share one", () => {
  const limit = new HttpRateLimit(1);
  for (const client of ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1", "::1"]) {
    assert.is(limit.take(client, 0), 0, client);
  }
  for (const client of ["2001:db8::ffff:1", "2001:db8:0:0:2:3:4:5", "2001:db8:0:1:9::", "::2"]) {
    assert.is(limit.take(client, 0), 1, client);
  }
  assert.is(limit.take("::ffff:192.0.2.1", 0), 1, "an IPv4 address is the same when it is mapped");
  assert.is(limit.take("::ffff:192.0.2.9", 0), 0);
});

test("the number of remembered clients is limited, and the busiest are forgotten last", () => {
  const limit = new HttpRateLimit(1);
  limit.take("192.0.2.1", 0);
  for (let index = 0; index < 15_000; index++) {
    limit.take(`client ${index}`, 0);
    if (index % 5_000 === 0) assert.is(limit.take("192.0.2.1", 0), 1, "still known");
  }
  assert.is(limit.take("client 0", 0), 0, "forgotten");
});

test.run();
