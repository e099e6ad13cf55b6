import { test } from "uvu";
import * as assert from "uvu/assert";
import { planFor, projectFiles } from "../testing/memory-project.js";
import { codes, generate, generated } from "../testing/reconciled-project.js";
import type { OutputFile } from "../model/output-file.js";

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

test.run();
