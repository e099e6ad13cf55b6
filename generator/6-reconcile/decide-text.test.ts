import { test } from "uvu";
import * as assert from "uvu/assert";
import type { OutputFile } from "../model/output-file.js";
import { MemoryProject, planFor } from "../testing/harness/projects/memory-project.js";
import { codes, generate, generated } from "../testing/harness/projects/reconciled-project.js";

const FIRST = ["# Demo", "", "One tool.", "", "## Run", "npm start", "", "## End"];
const PATHS = ["README.md", "Dockerfile", "deploy/kubernetes/service.yaml"];

/** A project with one file that is merged by lines. */
function files(lines: readonly string[], path = "README.md"): OutputFile[] {
  const content = lines.map((line) => `${line}\n`).join("");
  const mayPrecede = path === "README.md";
  return [{ owner: "merged", format: "text", path, content, mayPrecede }];
}

const replaced = (line: number, text: string): string[] => FIRST.with(line, text);

/** Expects that another run of the same changes nothing and says nothing. */
function assertQuiet(project: MemoryProject, made: readonly OutputFile[]): void {
  const { diagnostics, operations, changes } = planFor(project.tree, made);
  assert.equal([diagnostics, operations, changes], [[], [], []]);
}

for (const path of PATHS) {
  test(`an unedited ${path} is written again, with its line ends`, () => {
    for (const lineEnd of ["\n", "\r\n"]) {
      const project = generated(files(FIRST, path));
      project.edit(path, (text) => text.replaceAll("\n", lineEnd));
      const second = files(replaced(2, "Two tools."), path);
      assert.equal(generate(project, second).diagnostics, []);
      assert.is(
        project.text(path),
        replaced(2, "Two tools.")
          .map((line) => line + lineEnd)
          .join(""),
      );
      assertQuiet(project, second);
    }
  });

  test(`an edited ${path} is merged by lines, and lines that both sides changed are reported once`, () => {
    const project = generated(files(FIRST, path));
    project.edit(path, (text) =>
      text.replace("One tool.", "My tool.").replace("## End\n", "## End\nMine."),
    );
    const second = files(FIRST.with(2, "Two tools.").with(5, "npm run go"), path);
    const { diagnostics, changes, sources } = generate(project, second);
    const expected = "# Demo\n\nMy tool.\n\n## Run\nnpm run go\n\n## End\nMine.";
    assert.is(project.text(path), expected);
    assert.equal(
      diagnostics.map(({ code, line, hint }) => [code, line, hint]),
      [["MW4019", 3, "mcpwright's are:\n| Two tools."]],
    );
    assert.is(sources?.get(path), expected);
    assert.equal(changes.find(({ op }) => op === "conflict")?.reason, "your lines stay: 3");
    assertQuiet(project, second);

    const third = files(FIRST.with(2, "Two tools.").with(5, "npm run third"), path);
    assert.equal(generate(project, third).diagnostics, [], "ours has become the base");
    assert.is(project.text(path), expected.replace("run go", "run third"));
  });
}

test("a byte-order mark, CRLF and a missing final line end stay", () => {
  const project = generated(files(FIRST));
  project.edit(
    "README.md",
    (text) => `\uFEFF${text.trimEnd().replace("One tool.", "Mine.").replaceAll("\n", "\r\n")}`,
  );
  generate(project, files(replaced(5, "npm run go")));
  const expected = FIRST.with(2, "Mine.").with(5, "npm run go");
  assert.is(project.text("README.md"), `\uFEFF${expected.join("\r\n")}`);
});

test("a file that its owner deleted stays deleted as long as the manifest asks for it", () => {
  const project = generated(files(FIRST));
  project.remove("README.md");
  for (const lines of [FIRST, replaced(2, "Two tools."), replaced(2, "Three.")]) {
    assert.equal(codes(generate(project, files(lines))), []);
    assert.not.ok(project.has("README.md"));
  }
  generate(project, []);
  generate(project, files(FIRST));
  assert.ok(project.has("README.md"), "but it is once the manifest wants it anew");
});

test("a file that its owner replaced as a whole stays, which is reported once, when the generated text changes", () => {
  const own = "# Mine\r\n\r\nAll of it";
  const project = generated(files(FIRST));
  project.write("README.md", own);
  assertQuiet(project, files(FIRST));
  const { diagnostics } = generate(project, files(replaced(2, "Two tools.")));
  assert.equal(
    diagnostics.map(({ code }) => code),
    ["MW4019"],
  );
  assert.match(diagnostics[0]?.hint ?? "", "\n| Two tools.\n");
  for (const text of ["Two tools.", "Three tools.", "One tool."]) {
    assert.equal(codes(generate(project, files(replaced(2, text)))), []);
  }
  assert.is(project.text("README.md"), own);
});

test("a README that is older than the project stays without a report; another such file is reported", () => {
  for (const [path, said] of [
    ["README.md", []],
    ["Dockerfile", ["MW4019"]],
  ] as const) {
    const project = new MemoryProject({ [path]: "FROM mine\n" });
    assert.equal(codes(generate(project, files(FIRST, path))), [...said], path);
    assert.equal(codes(generate(project, files(replaced(2, "Two tools."), path))), []);
    assert.is(project.text(path), "FROM mine\n");
  }
});

test("without a lock, an edited generated file is recognised and merged from then on", () => {
  const edited = FIRST.with(7, "## My end").join("\n");
  const project = new MemoryProject({ "README.md": edited });
  assert.equal(codes(generate(project, files(FIRST))), []);
  assert.is(project.text("README.md"), edited);
  generate(project, files(replaced(2, "Two tools.")));
  assert.is(project.text("README.md"), FIRST.with(2, "Two tools.").with(7, "## My end").join("\n"));
});

test("a file that is no longer generated is deleted, unless somebody edited it", () => {
  const project = generated(files(FIRST, "Dockerfile"));
  generate(project, []);
  assert.not.ok(project.has("Dockerfile"));
  const edited = generated(files(FIRST, "Dockerfile"));
  edited.edit("Dockerfile", (text) => `${text}mine\n`);
  const { changes, diagnostics } = generate(edited, []);
  assert.equal(diagnostics, []);
  assert.equal(changes.find(({ path }) => path === "Dockerfile")?.op, "keep");
  assertQuiet(edited, []);
  assert.match(edited.text("Dockerfile"), "mine");
});

test("conflict markers between two generated texts are resolved; those around edits are left", () => {
  const project = generated(files(FIRST));
  const lock = project.text("mcpwright.lock.json");
  const marked = (one: string, two: string): string =>
    FIRST.join("\n").replace("One tool.", `<<<<<<< a\n${one}\n=======\n${two}\n>>>>>>> b`) + "\n";
  project.write("README.md", marked("One tool.", "One tool."));
  const resolved = generate(project, files(replaced(2, "Two tools.")));
  assert.equal(codes(resolved), ["MW4010"]);
  assert.is(project.text("README.md"), `${replaced(2, "Two tools.").join("\n")}\n`);
  assert.is(project.text("README.md.saved"), marked("One tool.", "One tool."));

  project.write("mcpwright.lock.json", lock);
  project.write("README.md", marked("Mine.", "One tool."));
  assert.equal(codes(generate(project, files(replaced(2, "Two tools.")))), ["MW4024"]);
  assert.is(project.text("README.md"), marked("Mine.", "One tool."));
  project.edit("README.md", (text) => text.replace(/<{7}[^]*>{7} b/, "Mine."));
  const late = generate(project, files(FIRST.with(2, "Two tools.").with(5, "npm run go")));
  assert.equal(codes(late), ["MW4019"], "the base has waited");
  assert.is(
    project.text("README.md"),
    `${FIRST.with(2, "Mine.").with(5, "npm run go").join("\n")}\n`,
  );
});

test("a file that is not UTF-8 stays and is reported once", () => {
  const project = generated(files(FIRST, "Dockerfile"));
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
  project.write("Dockerfile", bytes);
  assert.equal(codes(generate(project, files(replaced(2, "Two."), "Dockerfile"))), ["MW4019"]);
  assert.equal(codes(generate(project, files(replaced(2, "Three."), "Dockerfile"))), []);
  assert.equal(Buffer.from(project.bytes("Dockerfile")), bytes);
});

test("a file of an older lock without lines is written again if unedited, and kept if edited", () => {
  for (const owner of ["scaffold", "generated"]) {
    const project = generated(files(FIRST, "Dockerfile"));
    const older = JSON.parse(project.text("mcpwright.lock.json")) as {
      files: Record<string, { owner: string; base?: unknown }>;
    };
    const entry = older.files["Dockerfile"]!;
    entry.owner = owner;
    delete entry.base;
    const lock = JSON.stringify(older);
    project.write("mcpwright.lock.json", lock);
    generate(project, files(replaced(2, "Two tools."), "Dockerfile"));
    assert.is(project.text("Dockerfile"), `${replaced(2, "Two tools.").join("\n")}\n`);

    project.write("mcpwright.lock.json", lock);
    project.write("Dockerfile", FIRST.with(7, "mine").join("\n"));
    generate(project, files(FIRST, "Dockerfile"));
    assert.is(project.text("Dockerfile"), FIRST.with(7, "mine").join("\n"));
    generate(project, files(replaced(2, "Two tools."), "Dockerfile"));
    assert.is(project.text("Dockerfile"), FIRST.with(2, "Two tools.").with(7, "mine").join("\n"));
  }
});

test.run();
