import { test } from "uvu";
import * as assert from "uvu/assert";
import { planFor, projectFiles } from "../testing/memory-project.js";
import { generate, generated } from "../testing/reconciled-project.js";
import { LOCK_PATH } from "./lock.js";
import { isCurrent } from "./is-current.js";
import { readLock } from "./read-lock.js";

const one = projectFiles(["one"]);
const both = projectFiles(["one", "two"]);

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

test("isCurrent: a handler that looks broken, or does not export its constant, needs a full plan", () => {
  const project = generated();
  const lock = readLock(project.tree);
  const input = (lock.kind === "read" && lock.lock.input) || "";
  const handler = "src/tools/one.ts";
  for (const [text, ready] of [
    ["export const one = () => ({ mine: [1] });\n", true],
    ["const mine = 1;\r\nexport { mine as one };\r\n", true],
    ["export const one = () => ({ mine: [1 });\n", false],
    ["// export const one = 1;\n", false],
    ["const text = `\nexport const one = 1;\n`;", false],
    [Buffer.from("export const one = 'caf\xe9';", "latin1"), false],
  ] as const) {
    project.write(handler, text);
    assert.is(isCurrent(input, lock, project.tree), ready, String(text));
  }
  // A stub is nobody's to judge.
  const files = projectFiles(["one"]).map((file) =>
    file.owner === "handler" ? { ...file, content: "stub: (\n" } : file,
  );
  const stubs = generated(files);
  const state = readLock(stubs.tree);
  assert.ok(isCurrent((state.kind === "read" && state.lock.input) || "", state, stubs.tree));
});

function editMatters(path: string): boolean {
  return one.find((file) => file.path === path)?.owner === "generated";
}

test.run();
