import { test } from "uvu";
import * as assert from "uvu/assert";
import { runtimeFile } from "../5-emit/project/runtime-package.js";
import { MemoryProject } from "../testing/harness/projects/memory-project.js";
import { withIgnoredRuntime } from "./ignored-runtime.js";

/** What is said of a project with this `.gitignore`, as `line:column hint`. */
function found(gitignore: string, { isVendored = true, manifest = {} } = {}): string[] {
  const project = new MemoryProject();
  project.write(".gitignore", gitignore);
  const plan = { changes: [], semantic: [], diagnostics: [], operations: [] };
  const files = isVendored ? [runtimeFile()] : [];
  const { diagnostics } = withIgnoredRuntime(plan, manifest, files, project.tree);
  return diagnostics.map(({ line, column, hint }) => `${line}:${column} ${hint}`);
}

test("a line of .gitignore that excludes the runtime's file is reported", () => {
  const narrower = "write `/*.tgz` instead, and commit vendor/";
  assert.equal(found("node_modules/\n*.tgz\ndist/\n"), [`2:1 ${narrower}`]);
  assert.equal(found("**/*.tgz  \r\n"), [`1:1 ${narrower}`]);
  for (const line of ["vendor", "vendor/", "/vendor/", "vendor/*", "/vendor/*.tgz", "vendor/**"]) {
    assert.equal(found(`${line}\n`), ["1:1 take this line out, and commit vendor/"], line);
  }
});

test("nothing is reported if git includes the runtime, or the project has another source for it", () => {
  assert.equal(found("/*.tgz\nnode_modules/\nvendored/\n# *.tgz\n"), []);
  assert.equal(found("*.tgz\n!/vendor/*.tgz\n"), []);
  assert.equal(found("*.tgz\n", { isVendored: false }), []);
  assert.equal(found("*.tgz\n", { manifest: { diagnostics: { MW4016: "off" } } }), []);
});

test.run();
