import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Change, FileOperation, Plan } from "../../model/plan.js";
import { MemoryProject } from "../../testing/harness/projects/memory-project.js";
import { painter } from "../terminal.js";
import { fileDiffs } from "./file-diffs.js";
import { planSummary, planText } from "./plan-text.js";

const plain = painter(false);

function planOf(...changes: Change[]): Plan {
  return { changes, semantic: [], diagnostics: [], operations: [] };
}

const generated = (op: Change["op"], path: string): Change => ({ op, path, owner: "generated" });

test("a plan lists first what the run does, then what a person must do", () => {
  const plan = planOf(
    generated("update", "SERVER.md"),
    { op: "keep", path: "src/main.ts", owner: "generated", reason: "edited by hand" },
    { op: "move", from: "src/tools/a.ts", path: "src/tools/b.ts", owner: "handler", reason: "r" },
    { op: "update", path: "mcpwright.lock.json", owner: "lock" },
    { op: "keep", path: "src/tools/c.ts", owner: "handler", reason: "will not type-check: 1:1 x" },
  );
  assert.is(
    planText(plan, plain),
    `~ SERVER.md
→ src/tools/a.ts → src/tools/b.ts  (r)
~ mcpwright.lock.json

Needs you:
! src/main.ts  (edited by hand)

Handlers whose types change, left as you wrote them:
! src/tools/c.ts  (will not type-check: 1:1 x)
`,
  );
  assert.is(planSummary(plan), "2 updated, 1 moved, 1 kept back, 1 handler to check");
  assert.is(planText(planOf(), plain), "");
});

test("generated files that a formatter changed are one line for each folder", () => {
  const edited = (path: string): Change => ({
    ...generated("keep", path),
    reason: "edited by hand",
  });
  const paths = Array.from({ length: 13 }, (_, index) => `src/generated/${index}.ts`);
  assert.is(
    planText(planOf(edited("src/main.ts"), ...paths.map(edited)), plain),
    `
Needs you:
! src/main.ts  (edited by hand)
! src/generated/  (13 files: edited by hand)
`,
  );
  const few = planText(planOf(...paths.slice(0, 11).map(edited)), plain);
  assert.match(few, "! src/generated/10.ts  (edited by hand)");
});

test("many files with the same change are one line; each moved file is named", () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.ts`);
  const stub = (name: string): Change => ({
    op: "create",
    path: `src/tools/${name}`,
    owner: "handler",
    reason: "a stub, yours to write",
  });
  const removed = (name: string): Change => ({
    op: "move",
    from: `src/prompts/${name}`,
    path: `src/removed/prompts/${name}`,
    owner: "handler",
  });
  const many = planOf(
    ...names.slice(0, 4).map((name) => generated("update", `src/generated/${name}`)),
    ...names.slice(0, 3).map((name) => generated("delete", `src/generated/${name}`)),
    ...names.map(stub),
    ...names.map(removed),
  );
  const lines = planText(many, plain).split("\n");
  assert.equal(lines.slice(0, 5), [
    "~ src/generated/  (4 files)",
    "- src/generated/0.ts",
    "- src/generated/1.ts",
    "- src/generated/2.ts",
    "+ src/tools/  (12 files: a stub, yours to write)",
  ]);
  assert.is(lines.filter((line) => line.startsWith("→ ")).length, 12);
  assert.match(planText(planOf(...names.slice(1).map(stub)), plain), "+ src/tools/1.ts  (a stub");
});

test("names that could act on a terminal are shown as text", () => {
  const text = planText(planOf(generated("create", "src/\u001b[2J.ts")), plain);
  assert.is(text, "+ src/\\u001b[2J.ts\n");
});

test("written and deleted files have diffs in colour", async () => {
  const project = new MemoryProject();
  project.write("src/a.ts", "one\ntwo\nthree\n");
  project.write("src/b.ts", "gone\n");
  const operations: FileOperation[] = [
    { kind: "write", path: "src/a.ts", content: Buffer.from("one\n2\nthree\n"), before: "x" },
    { kind: "delete", path: "src/b.ts", before: "x" },
    { kind: "write", path: "mcpwright.lock.json", content: Buffer.from("{}") },
  ];
  const [bold, cyan, red, green] = ["bold", "cyan", "red", "green"] as const;
  const paint = painter(true);
  assert.equal((await fileDiffs(operations, project.tree, paint)).split("\n"), [
    paint(bold, "--- a/src/a.ts"),
    paint(bold, "+++ b/src/a.ts"),
    paint(cyan, "@@ -1,3 +1,3 @@"),
    " one",
    paint(red, "-two"),
    paint(green, "+2"),
    " three",
    paint(bold, "--- a/src/b.ts"),
    paint(bold, "+++ /dev/null"),
    paint(cyan, "@@ -1,1 +0,0 @@"),
    paint(red, "-gone"),
    "",
  ]);
});

test.run();
