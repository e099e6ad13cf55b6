import { test } from "uvu";
import * as assert from "uvu/assert";
import { canonicalManifest } from "../3-normalize/canonical.js";
import type { JsonObject } from "../model/json.js";
import { compareManifests } from "./compare.js";
import { defaultLimits, limitNames } from "../../templates/runtime/engine/limits.js";

/** Each change as "rule: message". */
function reported(before: JsonObject, after: JsonObject): string[] {
  const [former, present] = [before, after].map((part) =>
    canonicalManifest({ name: "demo", version: "1.0.0", ...part }),
  );
  return compareManifests(former!, present!)
    .filter(({ rule }) => rule !== "breaking-without-major-version")
    .map(({ rule, message }) => `${rule}: ${message}`);
}

const http = (settings: JsonObject = {}): JsonObject => ({
  transports: [{ type: "http", ...settings }],
});
const tool = (settings: JsonObject = {}): JsonObject => ({
  tools: [{ name: "a", description: "Does a.", ...settings }],
});

/** Every limit, as it is without `limits`. */
const usualLimits = Object.fromEntries(limitNames.map((name) => [name, defaultLimits[name]]));

test("stating the default of a setting is no change", () => {
  const same: [JsonObject, JsonObject][] = [
    [tool(), tool({ enabled: true, scopes: [], uses: [], elicitations: {} })],
    [http(), http({ sessions: "none", resumable: false, health: "/healthz", cors: true })],
    [http(), http({ allowedHosts: [], allowedOrigins: [] })],
    [http(), http({ cors: false })],
    [{}, { protocol: { legacy: "serve" }, limits: usualLimits }],
    [{ env: { A: {} } }, { env: { A: { type: "string" } } }],
    [
      tool({ http: { upstream: "u", path: "/x", method: "POST" } }),
      tool({ http: { upstream: "u", path: "/x", method: "post" } }),
    ],
    [
      { upstreams: { u: { baseUrl: "https://u.example", retries: { methods: ["GET"] } } } },
      { upstreams: { u: { baseUrl: "https://u.example", retries: { methods: ["get"] } } } },
    ],
  ];
  for (const [before, after] of same) {
    assert.equal(reported(before, after), [], JSON.stringify(after));
    assert.equal(reported(after, before), [], JSON.stringify(after));
  }
});

test("allowing more than before is no change", () => {
  const hosts = ["a.example", "b.example"];
  const more = { allowedHosts: hosts, allowedOrigins: hosts.map((host) => `https://${host}`) };
  assert.equal(reported(http(), http(more)), []);
  assert.equal(reported(http(more), http({ ...more, allowedHosts: hosts.slice(1) })), [
    'allowed-host-removed: http refuses requests to the host "a.example" now',
  ]);
  const page = (origin: string): JsonObject => http({ allowedOrigins: [origin] });
  assert.equal(reported(page("http://localhost:6274"), page("http://localhost:*")), []);
  assert.equal(reported(page("http://localhost:*"), page("http://localhost:6274")).length, 1);
  assert.equal(reported({ limits: { timeoutMs: 1 } }, { limits: { timeoutMs: 2 } }), []);
  assert.equal(reported({ limits: { timeoutMs: 60_000 } }, {}), [
    "limit-lowered: timeoutMs was 60000, is 30000",
  ]);
});

test("new questions to users are reported as client features, by form and by URL", () => {
  const form = { confirm: { message: "Sure?", requestedSchema: { type: "object" } } };
  const page = { pay: { message: "Pay", url: "https://pay.example" } };
  assert.equal(reported(tool(), tool({ elicitations: { ...form, ...page } })), [
    "client-feature-newly-used: may use elicitation now, which not every client offers",
    "client-feature-newly-used: may use elicitation by URL now, which not every client offers",
  ]);
  const asked = reported(
    tool({ elicitations: { ...form } }),
    tool({ elicitations: { ask: form.confirm } }),
  );
  assert.not(
    asked.some((change) => change.startsWith("client-feature")),
    "the feature is the same",
  );
  assert.equal(reported(tool({ elicitations: { ...form, ...page } }), tool()), []);
});

test("an environment variable that takes fewer values is reported", () => {
  const env = (variable: JsonObject): JsonObject => ({
    env: { A: { description: "x", ...variable } },
  });
  assert.equal(reported(env({}), env({ type: "number" })), [
    "environment-variable-narrowed: A takes fewer values now: its type was string, is number",
  ]);
  assert.equal(reported(env({ type: "number" }), env({})), []);
  assert.equal(reported(env({ enum: ["a", "b"] }), env({ enum: ["b", "c"] })), [
    'environment-variable-narrowed: A takes fewer values now: no longer "a"',
  ]);
  assert.equal(reported(env({ enum: ["a"] }), env({})), []);
  assert.equal(reported({}, env({ enum: ["a"] })), [], "a new one is no change to who sets none");
});

test("a limit that a variable sets is compared by its value where nobody sets the variable", () => {
  const limited = (limit: JsonObject[string], variable: JsonObject = {}): JsonObject => ({
    env: { RATE: { type: "number", ...variable } },
    limits: { ratePerSecond: limit },
  });
  const byVariable = { env: "RATE" };
  assert.equal(reported(limited(1_000), limited(byVariable)), []);
  assert.equal(reported(limited(5_000), limited(byVariable)), [
    "limit-lowered: ratePerSecond was 5000, is 1000 unless RATE is set",
  ]);
  assert.equal(reported(limited(5_000), limited(byVariable, { default: 6_000 })), []);
  assert.equal(
    reported(limited(byVariable, { default: 50 }), limited(byVariable, { default: 5 })),
    ["limit-lowered: ratePerSecond was 50, is 5 unless RATE is set"],
  );
  assert.equal(reported(limited(byVariable), limited(2_000)), [
    "limit-variable-removed: RATE does not set ratePerSecond any more",
  ]);
});

test.run();
