import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../model/json.js";
import { compareManifests } from "./compare.js";

/** The changes between two lists of folders of skills. */
function changes(before: JsonValue[], after: JsonValue[]): string[] {
  const [former, present] = [before, after].map((skills) => ({ name: "demo", skills }));
  return compareManifests(former!, present!).map(
    ({ rule, path, at }) => `${rule} ${path} ${at.join("/")}`,
  );
}

test("changes of skills are told by the folder, at its place", () => {
  const [review, triage] = [{ root: "skills/review" }, { root: "skills/triage" }];
  assert.equal(changes([review], [triage]), [
    "skill-folder-removed skills.review skills",
    "skill-folder-added skills.triage skills/0",
  ]);
  assert.equal(changes([review], [triage, { root: "docs/review", scopes: ["read"] }]), [
    "scope-newly-required skills.review.scopes skills/1/scopes",
    "skill-folder-added skills.triage skills/0",
  ]);
  assert.equal(changes([review], [{ ...review, watch: true }]), [
    "subscription-added skills.review.watch skills/0/watch",
  ]);
  assert.equal(changes([{ ...review, watch: true }], [review]), [
    "subscription-removed skills.review.watch skills/0/watch",
  ]);
  assert.equal(changes([review], [review]), []);
});

test.run();
