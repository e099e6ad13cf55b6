import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Change, Plan, SemanticChange } from "../../model/plan.js";
import { reportedCost } from "./cost-text.js";
import { shortReport } from "./short-report.js";

const change = (op: Change["op"], path: string, owner: Change["owner"]): Change => ({
  op,
  path,
  owner,
});
const changes = [
  change("create", "a.ts", "generated"),
  change("create", "b.ts", "handler"),
  change("update", "package.json", "merged"),
  change("move", "c.ts", "handler"),
  change("conflict", "d.ts", "generated"),
];
const noticed: SemanticChange = {
  rule: "tool-removed",
  severity: "breaking",
  path: "tools.a",
  message: "a is gone",
  at: ["tools"],
};
const plan: Plan = { changes, semantic: [noticed, noticed], diagnostics: [], operations: [] };

test("a report without a maximum, or one that is not reached, has all in its order", () => {
  assert.equal(shortReport(plan, undefined), { changes, semantic: [noticed, noticed] });
  assert.equal(shortReport(plan, 5), { changes, semantic: [noticed, noticed] });
});

test("a short report begins with what a person must look at, and counts what callers notice", () => {
  const short = shortReport(plan, 1);
  assert.equal(
    shortReport(plan, 4).changes.map(({ path }) => path),
    ["d.ts", "c.ts", "b.ts", "package.json"],
  );
  assert.equal(short, { changes: [changes[4]], semantic: [noticed], noticed: 2 });
});

test("a short report of costs has the costliest items", () => {
  const item = (name: string, tokens: number) =>
    ({ kind: "tool", name, tokens, costliest: { member: "description", tokens } }) as const;
  const cost = { tokens: 6, items: [item("a", 1), item("b", 3), item("c", 2)] };
  assert.equal(reportedCost(cost, undefined, 1), {
    lists: 6,
    items: [{ kind: "tool", name: "b", tokens: 3 }],
  });
});

test.run();
