import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { compareManifests } from "./compare.js";

function manifest(version: string, ...items: JsonObject[]): JsonObject {
  return { name: "demo", version, tools: items, prompts: items };
}

const until = (version: string): JsonObject => ({
  name: "old",
  description: "Does it.",
  deprecated: { until: version },
});

test("a removal is breaking before the version that was announced, and not from that version on", () => {
  const rules = (version: string, item = until("2.0.0")): string[] =>
    compareManifests(manifest("1.0.0", item), manifest(version)).map(({ rule }) => rule);
  assert.equal(rules("1.9.9").slice(0, 2), ["tool-removed", "prompt-removed"]);
  assert.equal(rules("2.0.0"), ["removed-as-announced", "removed-as-announced"]);
  assert.equal(rules("3.1.0"), ["removed-as-announced", "removed-as-announced"]);
  assert.ok(rules("package.json").includes("tool-removed"), "a version that is not known");
  assert.ok(rules("2.0.0-beta.1").includes("tool-removed"), "a preview comes before its version");
  const open = { name: "old", description: "Does it.", deprecated: { since: "1.0.0" } };
  assert.ok(rules("9.0.0", open).includes("tool-removed"), "no version was announced");
});

test("a deprecation that only the new manifest has does not announce the removal", () => {
  const before = manifest("1.0.0", { name: "old", description: "Does it." });
  assert.ok(
    compareManifests(before, manifest("2.0.0")).some(({ rule }) => rule === "tool-removed"),
  );
});

test.run();
