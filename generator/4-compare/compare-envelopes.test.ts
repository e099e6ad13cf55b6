import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { compareManifests } from "./compare.js";

const OUTPUT = { type: "array", items: { type: "integer" } };

function manifest(http: JsonObject): JsonObject {
  const body = { upstream: "api", path: "/x", ...http };
  const inputSchema = { type: "object", additionalProperties: false };
  const tool = {
    name: "a",
    description: "Lists a.",
    inputSchema,
    outputSchema: OUTPUT,
    http: body,
  };
  return {
    name: "demo",
    version: "1.0.0",
    upstreams: { api: { baseUrl: "https://api.example" } },
    tools: [tool],
  };
}

/** Severity and rule of each change, without that of the version. */
function changes(before: JsonObject, after: JsonObject): string[] {
  return compareManifests(manifest(before), manifest(after))
    .filter(({ path }) => path !== "version")
    .map(({ severity, rule }) => `${severity} ${rule}`);
}

const ALL = { paginate: { link: true } };
const PAGED = { paginate: { link: true, expose: true } };

test("pages that become exposed are another result for callers, and one argument more", () => {
  const found = changes(ALL, PAGED);
  assert.ok(
    found.some((change) => change.startsWith("breaking")),
    found.join(),
  );
  assert.ok(
    found.some((change) => change.startsWith("info")),
    found.join(),
  );
  assert.ok(changes(PAGED, ALL).some((change) => change.startsWith("breaking")));
  assert.equal(changes(PAGED, PAGED), []);
});

test("headers that come and go change the members of a closed result", () => {
  const withHeaders = (headers: JsonObject): JsonObject => ({ ...PAGED, result: { headers } });
  const few = withHeaders({ total: "X-Total" });
  const more = withHeaders({ total: "X-Total", etag: "ETag" });
  assert.ok(changes(few, more).includes("breaking output-object-extended"));
  assert.ok(changes(more, few).some((change) => change.startsWith("breaking")));
});

test("a key that seals cursors must be there before the replicas of an update", () => {
  const shared = (http: JsonObject): JsonObject => ({
    ...manifest(http),
    transports: [{ type: "http" }],
    scale: { redis: { env: "REDIS_URL" }, share: ["rates"] },
  });
  const rules = compareManifests(shared(ALL), shared(PAGED)).map(({ rule }) => rule);
  assert.ok(rules.includes("request-state-key-needed"), rules.join());
});

test.run();
