import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { compareDeployment } from "./compare-deploy.js";

const base: JsonObject = { name: "@a/books", transports: [{ type: "http" }] };
const scale = { redis: { env: "REDIS_URL" } };
const deploy = { kubernetes: true };
const asking = { tools: [{ name: "ask", uses: ["sampling"] }] };
const watched = { resources: [{ name: "log", subscribe: true }] };

/** The rules that report a change between two manifests, each made of the base and these settings. */
function rules(before: JsonObject, after: JsonObject): string[] {
  const changes = compareDeployment({ ...base, ...before }, { ...base, ...after });
  return changes.map(({ rule, message }) =>
    rule === "sharing-changed" ? message.replace(/^.*: /, "") : rule,
  );
}

test("a new name is reported if Kubernetes or Redis knows the server by its name", () => {
  assert.equal(rules({}, { name: "@a/library" }), []);
  assert.equal(rules({ deploy }, { deploy, name: "@a/library" }), ["deployment-renamed"]);
  assert.equal(rules({ deploy }, { deploy, name: "@b/books" }), [], "the scope is no part of it");
  assert.equal(rules({ scale }, { scale, name: "@b/books" }), ["shared-state-renamed"]);
  assert.equal(rules({ deploy }, { name: "library" }), []);
});

test("sharing a kind of state or not is reported if both versions use it", () => {
  const only = { scale: { ...scale, share: ["rates"] } };
  assert.equal(rules({}, { scale }), []);
  assert.equal(rules({ scale }, only), [], "there are no events");
  assert.equal(rules({ scale }, { scale, ...watched }), [], "nobody waited for events before");
  assert.equal(rules({ scale, ...watched }, { ...only, ...watched }), [
    "events are not shared any more",
  ]);
  assert.equal(rules({ ...only, ...watched }, { scale, ...watched }), ["events are shared now"]);
});

test("replicas need a common key if the server asks questions over HTTP", () => {
  const needed = ["request-state-key-needed"];
  assert.equal(rules(asking, { ...asking, scale }), needed);
  assert.equal(rules({ deploy }, { deploy, ...asking }), needed);
  assert.equal(rules({ deploy, ...asking }, { deploy, ...asking, scale }), []);
  assert.equal(rules({}, asking), []);
  const stdio = { transports: [{ type: "stdio" }] };
  assert.equal(rules(stdio, { ...stdio, ...asking, scale }), []);
});

test.run();
