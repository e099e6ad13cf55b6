import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  MemoryProject,
  planFor,
  projectFiles,
} from "../testing/harness/projects/memory-project.js";
import { codes, generate, generated } from "../testing/harness/projects/reconciled-project.js";
import type { JsonObject } from "../model/json.js";
import type { OutputFile } from "../model/output-file.js";
import { LOCK_PATH } from "./lock.js";

const one = projectFiles(["one"]);
const both = projectFiles(["one", "two"]);

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

test("guarantee 20: generating A, B and A again gives the first tree, with the same lock if nothing was edited", () => {
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

test("guarantee 11: an edited generated file is kept and reported in every run", () => {
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

test("a foreign file at the path of a generated one is kept, and all other files are written", () => {
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

test("B13: without a lock, nothing is written beside foreign files; --adopt keeps them and writes the other files", () => {
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

test("a lost lock of an unchanged project is written again", () => {
  const project = generated();
  const first = project.snapshot();
  project.remove(LOCK_PATH);
  generate(project, one);
  assert.equal(project.snapshot(), first);
});

test("guarantee 10: a file in the lock that a person has changed is never deleted", () => {
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

/** A lock in which version control has left a conflict. */
const withConflict = (lock: string): string =>
  lock.replace(
    /^ {2}"generator".*\n/m,
    (line) => `<<<<<<< HEAD\n${line}=======\n${line}>>>>>>> b\n`,
  );

test("conflict markers in unedited files are resolved by generating, without copies", () => {
  const [project, other] = [generated(), generated()];
  generate(other, projectFiles(["one"], "2"));
  for (const path of ["src/main.ts", LOCK_PATH]) {
    const [mine, theirs] = [project.text(path), other.text(path)];
    assert.is.not(mine, theirs);
    project.write(path, `<<<<<<< HEAD\n${mine}=======\n${theirs}>>>>>>> feature\n`);
  }
  const plan = generate(project, one);
  assert.equal(codes(plan), ["MW4010", "MW4010"]);
  for (const { message } of plan.diagnostics) assert.not.match(message, "what was there before");
  assert.is(project.text("src/main.ts"), "// main 1\n");
  assert.not.match(Object.keys(project.snapshot()).join(), ".saved");
});

test("conflict markers in an edited generated file are resolved by generating, with a copy", () => {
  const project = generated();
  const conflict = "<<<<<<< HEAD\n// a\n=======\n// b\n>>>>>>> feature\n";
  project.write("src/main.ts", conflict);
  project.edit(LOCK_PATH, withConflict);
  assert.equal(codes(generate(project, one)), ["MW4010", "MW4010"]);
  assert.is(project.text("src/main.ts"), "// main 1\n");
  assert.is(project.text("src/main.ts.saved"), conflict);
  assert.not.ok(`${LOCK_PATH}.saved` in project.snapshot());
  assert.equal(planFor(project.tree, one).operations, []);
});

test("a merged file that is generated no more goes, with a copy; markers are longer where both sides renamed it", () => {
  const project = generated(projectFiles(["one", "two"]));
  const path = "test/generated/two.test.ts";
  const conflict = `<<<<<<<< HEAD:${path}\n// a\n========\n// b\n>>>>>>>> b:${path}\n`;
  project.write(path, conflict);
  const plan = generate(project, one);
  assert.equal(codes(plan), ["MW4010"]);
  assert.not.ok(project.has(path));
  assert.is(project.text(`${path}.saved`), conflict);
});

test("a generated file that version control merged without a conflict is generated again, with a copy", () => {
  const project = generated();
  project.write("src/main.ts", "// lines of both sides\n");
  assert.equal(codes(planFor(project.tree, one)), ["MW4001"], "an edit, as far as one can tell");
  project.edit(LOCK_PATH, withConflict);
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
    ['"lockVersion": 2', '"lockVersion": 3', "MW4009"],
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

test("a newer mcpwright that would change no file leaves the lock as it is", () => {
  const project = generated();
  const { manifest } = JSON.parse(project.text(LOCK_PATH)) as { manifest: JsonObject };
  const newer = { generation: { generator: "1.1.0", manifest } };
  assert.equal(planFor(project.tree, one, newer).operations, []);

  generate(project, [...one, { owner: "generated", path: "src/a.ts", content: "a\n" }], newer);
  assert.match(project.text(LOCK_PATH), '"generator": "1.1.0"');
  assert.equal(codes(planFor(project.tree, one)), ["MW4013"]);
});

/** The files of a project, with a runtime of this hash that was committed at a second of a day. */
function withRuntimeOf(hash: string, second?: number, files = one): OutputFile[] {
  const path = `vendor/mcpwright-runtime-1.0.0-${hash}.tgz`;
  const sourceDate = `2026-11-28T09:52:0${second}Z`;
  const content = Buffer.from(hash).toString("base64");
  const dated = second === undefined ? {} : { sourceDate };
  return [...files, { owner: "generated", path, content, encoding: "base64", ...dated }];
}

test("of two builds of one version, the one with the older runtime refuses the project, but for --adopt", () => {
  const project = generated(withRuntimeOf("haaaaaaaa", 3));
  const plan = planFor(project.tree, withRuntimeOf("hbbbbbbbb", 2, both));
  assert.equal([codes(plan), plan.operations], [["MW4013"], []]);
  assert.is(
    plan.diagnostics[0]?.message,
    "mcpwright 1.0.0 with the runtime 1.0.0-haaaaaaaa of 2026-11-28 09:52:03 generated this project, " +
      "and this is mcpwright 1.0.0 with the runtime 1.0.0-hbbbbbbbb of 2026-11-28 09:52:02; nothing was written",
  );
  for (const second of [3, 4, undefined])
    assert.equal(codes(planFor(project.tree, withRuntimeOf("hcccccccc", second, both))), []);
  const older = withRuntimeOf("hbbbbbbbb", 2, both);
  const { manifest } = JSON.parse(project.text(LOCK_PATH)) as { manifest: JsonObject };
  const newer = { generation: { generator: "1.0.1", manifest } };
  assert.equal(codes(planFor(project.tree, older, newer)), [], "the higher version is later");
  assert.equal(codes(generate(project, older, { options: { adopt: true } })), []);
  assert.equal(codes(planFor(project.tree, older)), [], "this is the project's now");
  assert.equal(codes(planFor(project.tree, withRuntimeOf("hdddddddd", 1, both))), ["MW4013"]);
});

test("another build of the same runtime refuses nothing, and changes nothing", () => {
  for (const first of [undefined, 3]) {
    const project = generated(withRuntimeOf("haaaaaaaa", first));
    for (const second of [undefined, 1, 3, 5]) {
      const plan = planFor(project.tree, withRuntimeOf("haaaaaaaa", second));
      assert.equal([codes(plan), plan.operations], [[], []], `${first} ${second}`);
    }
  }
});

test("after a merge, the later of the two runtimes is used", () => {
  const project = generated(withRuntimeOf("haaaaaaaa", 2));
  const ours = project.text(LOCK_PATH);
  generate(project, withRuntimeOf("hbbbbbbbb", 4));
  const theirs = project.text(LOCK_PATH);
  project.write(LOCK_PATH, `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> b\n`);
  assert.equal(codes(planFor(project.tree, withRuntimeOf("haaaaaaaa", 2))), ["MW4013"]);
  assert.equal(codes(planFor(project.tree, withRuntimeOf("hbbbbbbbb", 4))), ["MW4010"]);
});

function conflictWith(ours: string, theirs: string): string {
  const lines = [ours, theirs].map((version) => `  "generator": "${version}",\n`);
  return `<<<<<<< HEAD\n${lines.join("=======\n")}>>>>>>> b\n`;
}

test("B13: a second manifest for one folder is refused", () => {
  const project = generated();
  const generation = {
    generator: "1",
    manifest: { name: "other", tools: [{ name: "else" }] },
  };
  const plan = planFor(project.tree, projectFiles(["else"]), { generation });
  assert.equal([codes(plan), plan.operations], [["MW4023"], []]);
});

test("files whose names differ only in case are not written side by side", () => {
  const project = generated();
  project.write("src/tools/TWO.ts", "// mine\n");
  assert.equal(codes(generate(project, both)), ["MW4004"]);
  assert.not.ok(project.has("src/tools/two.ts"));
});

test("a file at the path of a folder is reported", () => {
  const project = generated();
  project.write("deep", "a file\n");
  const files: OutputFile[] = [...one, { owner: "generated", path: "deep/a.ts", content: "a\n" }];
  assert.equal(codes(generate(project, files)), ["MW4002"]);
});

test.run();
