import { test } from "uvu";
import * as assert from "uvu/assert";
import { proxyOf } from "./proxy.js";

/** Whether the facade of a server at a host may connect to a private address. */
function isPrivate(host: string): unknown {
  const target = { kind: "url", url: `http://${host}/mcp`, headers: {} } as const;
  const { upstreams } = proxyOf(target, "files", "/project").manifestKeys;
  return (upstreams as { files: { private?: boolean } }).files.private;
}

test("the facade of a server is private if the URL has an address that is not public", () => {
  for (const host of [
    "localhost:8080",
    "api.localhost.",
    "127.0.0.2",
    "2130706433",
    "10.1.2.3",
    "100.64.0.1",
    "0.0.0.0:8080",
    "[::ffff:10.1.2.3]",
    "[fe80::1]",
    "169.254.169.254",
    "168.63.129.16",
  ]) {
    assert.is(isPrivate(host), true, host);
  }
  for (const host of ["api.example", "8.8.8.8", "10.example", "[2606:4700::1111]"]) {
    assert.is(isPrivate(host), undefined, host);
  }
});

test.run();
