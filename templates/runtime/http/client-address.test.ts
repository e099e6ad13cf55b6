import { test } from "uvu";
import * as assert from "uvu/assert";
import type { IncomingMessage } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { clientAddress } from "./client-address.js";

function address(forwarded: string | undefined, proxies: number): string {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const socket = { remoteAddress: "10.0.0.1" } as IncomingMessage["socket"];
  return clientAddress({ headers, socket }, proxies);
}

test("without trusted proxies, the client's address is that of the connection", () => {
  assert.is(address("203.0.113.7", 0), "10.0.0.1");
  assert.is(address(undefined, 2), "10.0.0.1");
});

test("each trusted proxy makes one more entry from the right reliable", () => {
  assert.is(address("203.0.113.7", 1), "203.0.113.7");
  assert.is(address("198.51.100.1, 203.0.113.7", 1), "203.0.113.7");
  assert.is(address("1.1.1.1, 203.0.113.7, 10.0.0.2", 2), "203.0.113.7");
  assert.is(address("203.0.113.7", 3), "203.0.113.7");
});

test("an entry must be an address, and may have a port", () => {
  assert.is(address("203.0.113.7:4711", 1), "203.0.113.7");
  assert.is(address("[2001:db8::1]:4711", 1), "2001:db8::1");
  assert.is(address("2001:db8::1", 1), "2001:db8::1");
  assert.is(address("unknown", 1), "10.0.0.1");
  assert.is(address("203.0.113.7, unknown", 2), "10.0.0.1");
  assert.is(address("", 1), "10.0.0.1");
});

test("an address with a long zone is not an address", () => {
  assert.is(address(`fe80::1%${"z".repeat(10_000)}`, 1), "10.0.0.1");
  assert.is(address("fe80::1%eth0", 1), "fe80::1%eth0");
});

test("an address that is kept does not keep its header in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const padding = " ".repeat(10_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 1_000 }, (_, index) => {
    // The text is made from bytes, as Node makes the texts of headers.
    const header = Buffer.from(`${padding},2001:db8:1111:2222:3333:4444:5555:${index}`).toString();
    return address(header, 1);
  });
  collect();
  const used = process.memoryUsage().heapUsed - before;
  assert.is(new Set(kept).size, 1_000);
  assert.ok(used < 1_000_000, `${used} bytes for 1,000 addresses`);
});

test.run();
