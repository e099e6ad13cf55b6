import { test } from "uvu";
import * as assert from "uvu/assert";
import { planFor, projectFiles } from "../testing/harness/projects/memory-project.js";
import { codes, generate, generated } from "../testing/harness/projects/reconciled-project.js";
import type { OutputFile } from "../model/output-file.js";
import type { Renames } from "./renames.js";
import { LOCK_PATH } from "./lock.js";
import type { SourceEditor } from "./source-editor.js";

const one = projectFiles(["one"]);
const both = projectFiles(["one", "two"]);

test("a stub is updated until a person edits it; then no byte of it changes", () => {
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

test("a file at a handler's path that is older than its item belongs to the user", () => {
  const project = generated();
  project.write("src/tools/two.ts", "// mine\n");
  assert.equal(codes(generate(project, both)), []);
  assert.is(project.text("src/tools/two.ts"), "// mine\n");
});

test("a deleted handler is written again; a deleted starter test or scaffold is not", () => {
  const project = generated();
  for (const path of ["src/tools/one.ts", "test/tools/one.test.ts", "README.md"])
    project.remove(path);
  assert.equal(
    generate(project, one).changes.map(({ path, reason }) => [path, reason]),
    [["src/tools/one.ts", "a stub: the handler that was here is gone"]],
  );
  assert.equal(
    generate(project, projectFiles(["one"], "2")).changes.map(({ path }) => path),
    ["package.json", "src/main.ts", "src/tools/one.ts", LOCK_PATH],
  );
});

test("an export that was added is reported at its line at the end of the file", () => {
  const project = generated();
  const mine = "const it = 1;\r\n";
  project.write("src/tools/one.ts", mine);
  const splices = [{ start: mine.length, end: mine.length, text: "\r\nexport { it as one };\r\n" }];
  const editor: SourceEditor = {
    problemIn: () => undefined,
    edit: () => ({ splices, exportAdded: true }),
  };
  const { diagnostics, sources } = generate(project, projectFiles(["one"], "2"), { editor });
  assert.equal(
    diagnostics.map(({ code, line, column, endColumn }) => [code, line, column, endColumn]),
    [["MW4011", 3, 1, 22]],
  );
  assert.is(sources?.get("src/tools/one.ts"), project.text("src/tools/one.ts"));
});

/** Says of every file that it is broken. */
const blind: SourceEditor = { problemIn: () => ({ message: "odd" }), edit: () => undefined };

test("the lock records the new stub although the handler cannot be parsed", () => {
  const project = generated(both);
  project.write("src/tools/one.ts", "export const one = {\n");
  const files = projectFiles(["one", "two"], "2");
  assert.equal(codes(generate(project, files, { editor: blind })), ["MW4005"]);
  const again = planFor(project.tree, files, { editor: blind });
  assert.equal([codes(again), again.operations], [["MW4005"], []]);
  const lock = project.text(LOCK_PATH);
  project.write("src/tools/one.ts", "export const one = {};\n");
  assert.equal(planFor(project.tree, files).operations, []);
  const other = generated(files);
  assert.is(lock, other.text(LOCK_PATH));
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

test("a second removed handler with the same name does not replace the first", () => {
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

test("a removed handler gets another name if a folder has its path, and stays if a file blocks the folder", () => {
  for (const [obstacle, found, place] of [
    ["src/removed/tools/two.ts/mine", [], "src/removed/tools/two.2.ts"],
    ["src/removed", ["MW4002"], "src/tools/two.ts"],
    ["src/removed/tools", ["MW4002"], "src/tools/two.ts"],
  ] as const) {
    const project = generated(both);
    project.write("src/tools/two.ts", "// mine");
    project.write(obstacle, "// in the way");
    for (let run = 0; run < 2; run++) {
      assert.equal(codes(generate(project, one)), found, obstacle);
      assert.is(project.text(place), "// mine");
      assert.is(project.text(obstacle), "// in the way");
    }
  }
});

test("after a rename, a stub is written again, and an edited handler is adapted, or left and reported", () => {
  const renames: Renames = new Map([["tool:new", ["tool:older", "tool:one"]]]);
  const files = projectFiles(["new"]);
  const stub = generated();
  generate(stub, files, { renames });
  assert.not.ok(stub.has("src/tools/one.ts"));

  const project = generated();
  const mine = `${project.text("src/tools/one.ts")}// mine`;
  project.write("src/tools/one.ts", mine);
  for (let run = 0; run < 2; run++) {
    assert.equal(codes(generate(project, files, { renames, editor: blind })), ["MW4005"]);
    assert.ok(project.has("src/tools/one.ts") && !project.has("src/tools/new.ts"));
  }
  generate(project, files, { renames });
  assert.is(project.text("src/tools/new.ts"), mine);
  assert.not.ok(project.has("src/tools/one.ts"));
});

test("a handler that cannot be renamed with its item is kept, even if another item gets its path", () => {
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

test("a file that cannot be parsed at the new path of a handler is reported, and the next run changes nothing", () => {
  const renames: Renames = new Map([["tool:two", ["tool:one"]]]);
  const editor = blind;
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

test("a starter test that cannot follow its renamed handler stays, even if a removed item of that name has left one", () => {
  const renames: Renames = new Map([["tool:two", ["tool:one"]]]);
  const problemIn: SourceEditor["problemIn"] = (_, source) =>
    source.includes("<<<<<<<") ? { message: "odd" } : undefined;
  const edit: SourceEditor["edit"] = (source) =>
    problemIn("", source) ? undefined : { splices: [], exportAdded: false };
  const editor: SourceEditor = { problemIn, edit };
  const project = generated(both);
  project.write("src/tools/two.ts", "// the first two");
  project.write("test/tools/two.test.ts", "// tests the first two");
  generate(project, one);
  project.write("src/tools/one.ts", "// one");
  project.write("test/tools/one.test.ts", "<<<<<<< HEAD");
  const files = projectFiles(["two"]);
  assert.equal(codes(generate(project, files, { renames, editor })), ["MW4005"]);
  assert.is(project.text("src/tools/two.ts"), "// one");
  const again = planFor(project.tree, files, { renames, editor });
  assert.equal([codes(again), again.operations], [["MW4005"], []]);
  assert.is(project.text("test/tools/one.test.ts"), "<<<<<<< HEAD");
  assert.is(project.text("src/removed/tools/two.test.ts"), "// tests the first two");
});

test("an edited handler follows its rename to the path of an unknown file that is only the stub or empty", () => {
  const renames: Renames = new Map([["tool:two", ["tool:one"]]]);
  const files = projectFiles(["two"]);
  const stubs = generated(files);
  const paths = ["src/tools/two.ts", "test/tools/two.test.ts"];
  for (const [textOf, place] of [
    [(path: string) => stubs.text(path), "two"],
    [() => "", "two"],
    [() => "// somebody's own", "removed"],
  ] as const) {
    const project = generated();
    for (const path of paths) project.write(path, textOf(path));
    project.write("src/tools/one.ts", "// mine");
    project.write("test/tools/one.test.ts", "// tests mine");
    generate(project, files, { renames });
    const removed = ["src/removed/tools/one.ts", "src/removed/tools/one.test.ts"];
    assert.equal(
      (place === "two" ? paths : removed).map((path) => project.text(path)),
      ["// mine", "// tests mine"],
    );
    assert.equal(planFor(project.tree, files, { renames }).operations, []);
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

test.run();
