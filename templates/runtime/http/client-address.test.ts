import { test } from "uvu";
import * as assert from "uvu/assert";
import type { IncomingMessage } from "node:http";
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

test.run();
