import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { checkedManifest } from "../../testing/harness/projects/checked-manifest.js";
import { validateManifest } from "../validate.js";

const HEAD = "name: demo\nversion: 1.0.0\n";
const SECRET = "env: { REDIS_URL: { secret: true } }\n";
const HTTP = "transports: [{ type: http, trustProxy: 1 }]\n";
const SCALE = "scale: { redis: { env: REDIS_URL } }\n";
const CHANGING = `resources: [{ uri: "a://b", name: b, description: B., text: b, subscribe: true }]
diagnostics: { MW2058: off }
`;

/** The findings, each with its line and column. */
function found(text: string): string[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(HEAD + text));
  return [...diagnostics, ...validateManifest(manifest!)].map(
    ({ line, column, code }) => `${line}:${column} ${code}`,
  );
}

test("each mistake is reported at its place", () => {
  assert.equal(found(SECRET + HTTP + SCALE), []);
  assert.equal(found(SECRET + SCALE), ["4:1 MW2181"]);
  assert.equal(found(HTTP + SCALE), ["4:24 MW2080"]);
  assert.equal(found(`env: { REDIS_URL: {} }\n${HTTP}${SCALE}`), ["5:24 MW2331"]);
  const share = "scale: { redis: { env: REDIS_URL }, share: [rates, events, switches] }\n";
  assert.equal(found(SECRET + HTTP + share), ["5:52 MW2180", "5:60 MW2180"]);
  const sessions = "transports: [{ type: http, trustProxy: 0, sessions: memory }]\n";
  assert.equal(found(SECRET + sessions + SCALE), ["4:53 MW2182"]);
  const untrusting = "transports: [{ type: stdio }, { type: http }, { type: websocket }]\n";
  assert.equal(found(SECRET + untrusting + SCALE), ["4:39 MW2183"]);
  assert.equal(found(`${SECRET}${HTTP}scale: {}\n`), ["5:8 MW1204"]);
});

test("processes share the state that `share` names, or without it all useful state", () => {
  const shared = (text: string) => checkedManifest(HEAD + SECRET + HTTP + text).model.scale?.share;
  assert.equal(shared(SCALE), ["rates"]);
  assert.equal(shared(SCALE + CHANGING), ["events", "rates"]);
  const share = "scale: { redis: { env: REDIS_URL }, share: [events] }\n";
  assert.equal(shared(share + CHANGING), ["events"]);
  assert.is(shared(CHANGING), undefined);
});
test.run();
