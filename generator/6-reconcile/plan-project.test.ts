import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  MemoryProject,
  planFor,
  projectFiles,
  ROOT,
  type TestChoices,
} from "../testing/memory-project.js";
import { applyPlan } from "../7-apply/apply.js";
import type { OutputFile } from "../model/output-file.js";
import type { Plan } from "../model/plan.js";
import type { Renames } from "./decision.js";
import { LOCK_PATH } from "./lock.js";
import { isCurrent } from "./is-current.js";
import { readLock } from "./read-lock.js";
import type { SourceEditor } from "./source-editor.js";

const one = projectFiles(["one"]);
const both = projectFiles(["one", "two"]);

/** Plans and applies; the plan must name exactly the files that change. */
function generate(
  project: MemoryProject,
  files: readonly OutputFile[],
  choices?: TestChoices,
): Plan {
  const before = project.snapshot();
  const plan = planFor(project.tree, files, choices);
  assert.equal(applyPlan(ROOT, plan, project.files), []);
  const after = project.snapshot();
  const named = plan.changes.flatMap(({ op, path, from }) =>
    op === "keep" || op === "conflict" ? [] : from === undefined ? [path] : [from, path],
  );
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...paths].filter((path) => before[path] !== after[path]);
  assert.equal([...new Set(named)].sort(), changed.sort(), "the plan names what changed");
  return plan;
}

function codes(plan: Plan): string[] {
  return plan.diagnostics.map(({ code }) => code);
}

function generated(files: readonly OutputFile[] = one): MemoryProject {
  const project = new MemoryProject();
  generate(project, files);
  return project;
}

test("guarantees 1, 15: the first run writes everything, the second nothing", () => {
  const project = new MemoryProject();
  const first = generate(project, one);
  assert.is(first.changes.length, one.length + 1);
  assert.is(first.operations.at(-1)?.path, LOCK_PATH);
  assert.equal(planFor(project.tree, one), {
    changes: [],
    semantic: [],
    diagnostics: [],
    operations: [],
  });
});

test("guarantee 20: from A to B to A gives the first tree, the lock included when nothing was edited", () => {
  const project = generated();
  const first = project.snapshot();
  generate(project, projectFiles(["two"], "2"));
  assert.not.ok(project.has("src/tools/one.ts"));
  generate(project, one);
  // A scaffold is made once, so its text does not come back; here it never changed.
  assert.equal(project.snapshot(), first);
});

test("a CRLF checkout is neither edited nor rewritten", () => {
  const project = generated();
  for (const path of Object.keys(project.snapshot())) {
    project.edit(path, (text) => text.replaceAll("\n", "\r\n"));
  }
  assert.equal(planFor(project.tree, one).operations, []);
  const next = generate(project, projectFiles(["one"], "2"));
  assert.equal(codes(next), []);
  assert.match(project.text("package.json"), /"version": "2.0.0",\r\n/);
});

test("guarantee 11: an edited generated file is kept and named, again and again", () => {
  const project = generated();
  project.edit("src/main.ts", (text) => `${text}// mine\n`);
  for (const files of [one, projectFiles(["one"], "2"), projectFiles(["one"], "2")]) {
    const plan = generate(project, files);
    assert.equal(codes(plan), ["MW4001"]);
    assert.is(project.text("src/main.ts"), "// main 1\n// mine\n");
    assert.ok(plan.changes.some(({ op, path }) => op === "keep" && path === "src/main.ts"));
  }
  project.write("src/main.ts", "// main 1\n");
  assert.equal(codes(generate(project, projectFiles(["one"], "2"))), []);
  assert.is(project.text("src/main.ts"), "// main 2\n");
});

test("--overwrite-edited saves the edited copy beside the file", () => {
  const project = generated();
  const overwrite = { options: { overwriteEdited: true } };
  project.write("src/main.ts", "// mine\n");
  assert.equal(codes(generate(project, one, overwrite)), []);
  assert.is(project.text("src/main.ts"), "// main 1\n");
  assert.is(project.text("src/main.ts.saved"), "// mine\n");
  project.write("src/main.ts", "// mine too\n");
  generate(project, one, overwrite);
  assert.is(project.text("src/main.ts.saved"), "// mine\n");
  assert.is(project.text("src/main.ts.saved2"), "// mine too\n");
});

test("an edited generated file that is no longer generated stays", () => {
  const project = generated(both);
  project.write("test/generated/two.test.ts", "// mine\n");
  assert.equal(codes(generate(project, one)), ["MW4001"]);
  assert.equal(codes(generate(project, one)), ["MW4001"]);
  assert.is(project.text("test/generated/two.test.ts"), "// mine\n");
  assert.not.ok(project.has("src/tools/two.ts"));
});

test("a foreign file where a generated one goes is kept, and the rest is done", () => {
  const project = generated();
  project.write("test/generated/two.test.ts", "// mine\n");
  for (let run = 0; run < 2; run++) {
    assert.equal(codes(generate(project, both)), ["MW4002"]);
    assert.is(project.text("test/generated/two.test.ts"), "// mine\n");
  }
  assert.ok(project.has("src/tools/two.ts"));
  generate(project, one);
  assert.is(project.text("test/generated/two.test.ts"), "// mine\n");
});

test("B13: without a lock, foreign files mean that nothing at all is written; --adopt keeps them and makes the rest", () => {
  const project = new MemoryProject({ "src/main.ts": "// mine\n", "package.json": "{}\n" });
  const plan = generate(project, one);
  assert.equal(codes(plan), ["MW4003"]);
  assert.equal(plan.operations, []);
  assert.equal(codes(generate(project, one, { options: { adopt: true } })), ["MW4001"]);
  assert.is(project.text("src/main.ts"), "// mine\n");
  assert.ok(project.has("src/tools/one.ts"));
  assert.equal(codes(generate(project, one)), ["MW4001"]);
  const overwrite = { options: { overwriteEdited: true } };
  assert.equal(codes(generate(project, one, overwrite)), []);
  assert.is(project.text("src/main.ts.saved"), "// mine\n");
  assert.is(project.text("src/main.ts"), "// main 1\n");
});

test("a lost lock over an unchanged project is made again", () => {
  const project = generated();
  const first = project.snapshot();
  project.remove(LOCK_PATH);
  generate(project, one);
  assert.equal(project.snapshot(), first);
});

test("a stub follows the generator until its first edit; then no byte changes", () => {
  const project = generated();
  generate(project, projectFiles(["one"], "2"));
  assert.match(project.text("src/tools/one.ts"), /stub\(2\)/);
  const mine = "#!/x\r\n\uFEFF\texport const one = 1";
  project.write("src/tools/one.ts", mine);
  for (const version of ["3", "4"]) {
    assert.equal(codes(generate(project, projectFiles(["one"], version))), []);
    assert.is(project.text("src/tools/one.ts"), mine);
  }
});

test("a handler that is there before its item is the user's", () => {
  const project = generated();
  project.write("src/tools/two.ts", "// mine\n");
  assert.equal(codes(generate(project, both)), []);
  assert.is(project.text("src/tools/two.ts"), "// mine\n");
});

test("a deleted handler is made again; a deleted starter test or scaffold is not", () => {
  const project = generated();
  for (const path of ["src/tools/one.ts", "test/tools/one.test.ts", "README.md"])
    project.remove(path);
  assert.equal(
    generate(project, one).changes.map(({ path }) => path),
    ["src/tools/one.ts"],
  );
  assert.equal(
    generate(project, projectFiles(["one"], "2")).changes.map(({ path }) => path),
    ["package.json", "src/main.ts", "src/tools/one.ts", LOCK_PATH],
  );
});

test("guarantee 6: a removed item's edited handler stays, byte for byte, and comes back with the item", () => {
  const project = generated(both);
  const mine = "export const two = 2; // mine";
  project.write("src/tools/two.ts", mine);
  project.write("test/tools/two.test.ts", "// my test");
  for (let run = 0; run < 4; run++) {
    generate(project, projectFiles(["one"], String(run)));
    assert.is(project.text("src/removed/tools/two.ts"), mine);
    assert.is(project.text("src/removed/tools/two.test.ts"), "// my test");
    assert.not.ok(project.has("src/tools/two.ts"));
  }
  generate(project, both);
  assert.is(project.text("src/tools/two.ts"), mine);
  assert.is(project.text("test/tools/two.test.ts"), "// my test");
  assert.not.ok(project.has("src/removed/tools/two.ts"));
});

test("a second removed handler of one name does not replace the first", () => {
  const project = generated(both);
  for (const text of ["// first", "// second"]) {
    project.write("src/tools/two.ts", text);
    generate(project, one);
    project.write("src/tools/two.ts", "// in the way of coming back");
    generate(project, both);
  }
  assert.is(project.text("src/removed/tools/two.ts"), "// first");
  assert.is(project.text("src/removed/tools/two.2.ts"), "// second");
});

test("guarantee 10: what the lock names but a person has changed is never deleted", () => {
  const project = generated(both);
  const edited = Object.keys(project.snapshot()).filter((path) => path !== LOCK_PATH);
  for (const path of edited) project.edit(path, (text) => `${text} `);
  const kept = project.snapshot();
  generate(project, projectFiles([]));
  const texts = new Set(Object.values(project.snapshot()));
  for (const path of edited.filter((name) => !/package|env/.test(name))) {
    assert.ok(texts.has(kept[path] ?? ""), path);
  }
});

test("guarantee 17: a value that both changed in package.json stays, is said once, and the next run is quiet", () => {
  const project = generated();
  project.edit("package.json", (text) => text.replace("1.0.0", "9.9.9"));
  const two = projectFiles(["one"], "2");
  assert.equal(codes(generate(project, two)), ["MW4007"]);
  assert.match(project.text("package.json"), /9\.9\.9/);
  assert.equal(planFor(project.tree, two).diagnostics, []);
  assert.equal(planFor(project.tree, two).operations, []);
});

test("a dependency that is ahead of the generated one stays, and is not worth a word; one behind is", () => {
  const filesWith = (version: string): OutputFile[] => {
    const content = JSON.stringify({ dependencies: { sdk: version } }, null, 2);
    return [{ owner: "merged", format: "json", path: "package.json", content }];
  };
  for (const [theirs, found] of [
    ["2.5.0", []],
    ["^2.4.2", []],
    ["2.4.1", []],
    ["2.3.9", ["MW4007"]],
    ["github:me/sdk", ["MW4007"]],
  ] as const) {
    const project = generated(filesWith("2.4.0"));
    project.edit("package.json", (text) => text.replace("2.4.0", theirs));
    assert.equal(codes(generate(project, filesWith("2.4.1"))), found, theirs);
    assert.match(project.text("package.json"), `"${theirs}"`);
  }
});

test("a package.json with conflict markers is left alone until it is repaired", () => {
  const project = generated();
  const whole = project.text("package.json");
  project.write("package.json", `<<<<<<< a\n${whole}=======\n>>>>>>> b\n`);
  const two = projectFiles(["one"], "2");
  for (let run = 0; run < 2; run++) assert.equal(codes(generate(project, two)), ["MW4006"]);
  project.write("package.json", whole);
  generate(project, two);
  assert.match(project.text("package.json"), /2\.0\.0/);
});

test("conflict markers in a generated file and in the lock are resolved by generating, with copies", () => {
  const project = generated();
  const conflict = "<<<<<<< HEAD\n// a\n=======\n// b\n>>>>>>> feature\n";
  project.write("src/main.ts", conflict);
  project.edit(LOCK_PATH, (text) =>
    text.replace(/^ {2}"input".*\n/m, (line) => `<<<<<<< HEAD\n${line}=======\n${line}>>>>>>> b\n`),
  );
  assert.equal(codes(generate(project, one)), ["MW4010", "MW4010"]);
  assert.is(project.text("src/main.ts"), "// main 1\n");
  assert.is(project.text("src/main.ts.saved"), conflict);
  assert.match(project.text(`${LOCK_PATH}.saved`), "<<<<<<<");
  assert.equal(planFor(project.tree, one).operations, []);
});

test("a generated file that version control merged without a conflict is generated again, with a copy", () => {
  const project = generated();
  project.write("src/main.ts", "// lines of both sides\n");
  assert.equal(codes(planFor(project.tree, one)), ["MW4001"], "an edit, as far as one can tell");
  project.edit(LOCK_PATH, (text) =>
    text.replace(/^ {2}"input".*\n/m, (line) => `<<<<<<< HEAD\n${line}=======\n${line}>>>>>>> b\n`),
  );
  assert.equal(codes(generate(project, one)), ["MW4010", "MW4010"]);
  assert.is(project.text("src/main.ts"), "// main 1\n");
  assert.is(project.text("src/main.ts.saved"), "// lines of both sides\n");
});

test("F14: a damaged lock stops the run with one finding; --adopt makes a new one", () => {
  const project = generated();
  project.write("src/main.ts", "// mine\n");
  project.edit(LOCK_PATH, (text) => text.slice(0, 50));
  const plan = generate(project, one);
  assert.equal([codes(plan), plan.operations], [["MW4008"], []]);
  const both = { options: { adopt: true, overwriteEdited: true } };
  assert.equal(codes(planFor(project.tree, one, { options: { adopt: true } })), ["MW4001"]);
  assert.equal(codes(generate(project, one, both)), []);
  assert.is(project.text("src/main.ts.saved"), "// mine\n");
  assert.equal(planFor(project.tree, one).operations, []);
});

test("guarantees 10, 19: a lock that is newer or names ../x stops the run, also with --adopt", () => {
  const project = generated();
  for (const [from, to, code] of [
    ['"lockVersion": 1', '"lockVersion": 2', "MW4009"],
    ['"src/main.ts"', '"../main.ts"', "MW4021"],
  ] as const) {
    const whole = project.text(LOCK_PATH);
    project.write(LOCK_PATH, whole.replace(from, to));
    const plan = planFor(project.tree, one, { options: { adopt: true } });
    assert.equal([codes(plan), plan.operations], [[code], []]);
    project.write(LOCK_PATH, whole);
  }
});

test("F15: an older mcpwright refuses the project of a newer one, but for --adopt", () => {
  const project = generated();
  const newer = project.text(LOCK_PATH).replace('"generator": "1.0.0"', '"generator": "1.1.0"');
  project.write(LOCK_PATH, newer);
  const plan = planFor(project.tree, both);
  assert.equal([codes(plan), plan.operations], [["MW4013"], []]);
  project.write(LOCK_PATH, newer.replace(/^.*"generator".*\n/m, conflictWith("1.0.0", "1.1.0")));
  assert.equal(codes(planFor(project.tree, both)), ["MW4013"], "one side of a merge is newer");

  project.write(LOCK_PATH, newer);
  assert.equal(codes(generate(project, both, { options: { adopt: true } })), []);
  assert.match(project.text(LOCK_PATH), '"generator": "1.0.0"');
  assert.equal(planFor(project.tree, both).operations, []);
});

function conflictWith(ours: string, theirs: string): string {
  const lines = [ours, theirs].map((version) => `  "generator": "${version}",\n`);
  return `<<<<<<< HEAD\n${lines.join("=======\n")}>>>>>>> b\n`;
}

test("B13: a second manifest for one folder is refused", () => {
  const project = generated();
  const generation = {
    generator: "1",
    templates: "t",
    input: "0",
    manifest: { name: "other", tools: [{ name: "else" }] },
  };
  const plan = planFor(project.tree, projectFiles(["else"]), { generation });
  assert.equal([codes(plan), plan.operations], [["MW4023"], []]);
});

test("names that differ only in case are not written side by side", () => {
  const project = generated();
  project.write("src/tools/TWO.ts", "// mine\n");
  assert.equal(codes(generate(project, both)), ["MW4004"]);
  assert.not.ok(project.has("src/tools/two.ts"));
});

test("a file in place of a folder is in the way", () => {
  const project = generated();
  project.write("deep", "a file\n");
  const files: OutputFile[] = [...one, { owner: "generated", path: "deep/a.ts", content: "a\n" }];
  assert.equal(codes(generate(project, files)), ["MW4002"]);
});

test("a rename: a stub is made again; an edited handler is adapted, or left and named", () => {
  const renames: Renames = new Map([["tool:new", ["tool:older", "tool:one"]]]);
  const files = projectFiles(["new"]);
  const stub = generated();
  generate(stub, files, { renames });
  assert.not.ok(stub.has("src/tools/one.ts"));

  const project = generated();
  const mine = `${project.text("src/tools/one.ts")}// mine`;
  project.write("src/tools/one.ts", mine);
  const blind: SourceEditor = { canRead: () => false, edit: () => undefined };
  for (let run = 0; run < 2; run++) {
    assert.equal(codes(generate(project, files, { renames, editor: blind })), ["MW4005"]);
    assert.ok(project.has("src/tools/one.ts") && !project.has("src/tools/new.ts"));
  }
  generate(project, files, { renames });
  assert.is(project.text("src/tools/new.ts"), mine);
  assert.not.ok(project.has("src/tools/one.ts"));
});

test("a handler that cannot follow its item is kept, also where another item takes its place", () => {
  const renames: Renames = new Map([["tool:two", ["tool:one"]]]);
  for (const obstacle of ["src/tools/two.ts", "src/tools/two.ts/a.ts"]) {
    const project = generated();
    project.write("src/tools/one.ts", "// mine\n");
    project.write(obstacle, "// in the way\n");
    const files = oneIsAnotherItem();
    generate(project, files, { renames });
    assert.is(project.text(obstacle), "// in the way\n");
    assert.ok(Object.values(project.snapshot()).includes("// mine\n"), obstacle);
  }
});

test("an unreadable file in the place of a renamed handler is named, and the next run is empty", () => {
  const renames: Renames = new Map([["tool:two", ["tool:one"]]]);
  const editor: SourceEditor = { canRead: () => false, edit: () => undefined };
  for (const files of [oneIsAnotherItem(), projectFiles(["two"])]) {
    const project = generated();
    project.write("src/tools/two.ts", "// unreadable\n");
    const plan = generate(project, files, { renames, editor });
    assert.equal(
      plan.diagnostics.map(({ code, file }) => [code, file]),
      [["MW4005", "src/tools/two.ts"]],
    );
    assert.equal(planFor(project.tree, files, { renames, editor }).operations, []);
  }
});

/** Two handlers, of which `one.ts` belongs to an item that it did not belong to. */
function oneIsAnotherItem(): OutputFile[] {
  return projectFiles(["one", "two"]).map((file) =>
    file.owner === "handler" && file.exportName === "one"
      ? { ...file, item: "tool:ONE" as const }
      : file,
  );
}

test("isCurrent: true exactly while a full plan would be empty and quiet", () => {
  const project = generated();
  const lock = readLock(project.tree);
  const input = (lock.kind === "read" && lock.lock.input) || "";
  const current = (): boolean => isCurrent(input, readLock(project.tree), project.tree);
  assert.ok(current());
  assert.not.ok(isCurrent("0", lock, project.tree));
  const first = project.snapshot();
  for (const [path, isEdited] of Object.entries(first).map(
    ([name]) => [name, editMatters(name)] as const,
  )) {
    project.edit(path, (text) => text.replace("\n", " \n"));
    assert.is(current(), !isEdited, path);
    const { operations, diagnostics } = planFor(project.tree, one);
    assert.is(operations.length + diagnostics.length === 0, !isEdited, path);
    project.write(path, first[path] ?? "");
  }
  project.remove("src/tools/one.ts");
  assert.not.ok(current());
});

test("isCurrent: a file that waits for a person, or a removed handler that is gone, needs a full plan", () => {
  const project = generated(both);
  project.write("src/tools/two.ts", "// mine\n");
  project.write("src/main.ts", "// mine\n");
  const two = projectFiles(["one"], "2");
  generate(project, two);
  const pending = readLock(project.tree);
  assert.is(pending.kind === "read" && pending.lock.input, undefined);
  project.write("src/main.ts", "// main 1\n");
  generate(project, two);
  const lock = readLock(project.tree);
  const input = (lock.kind === "read" && lock.lock.input) || "";
  assert.ok(isCurrent(input, lock, project.tree));
  project.remove("src/removed/tools/two.ts");
  assert.not.ok(isCurrent(input, lock, project.tree));
  assert.equal(
    generate(project, two).changes.map(({ path }) => path),
    [LOCK_PATH],
  );
});

function editMatters(path: string): boolean {
  return one.find((file) => file.path === path)?.owner === "generated";
}

test.run();
