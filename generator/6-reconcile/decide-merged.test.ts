import { test } from "uvu";
import * as assert from "uvu/assert";
import { planFor, projectFiles } from "../testing/harness/projects/memory-project.js";
import { codes, generate, generated } from "../testing/harness/projects/reconciled-project.js";
import type { Place } from "../model/place.js";
import type { OutputFile } from "../model/output-file.js";

/** What a diagnostic points at, in one line of a text. */
function textAt(text: string, { line, column, endColumn }: Omit<Place, "file">): string {
  return (text.split(/\r?\n/)[line - 1] ?? "").slice(column - 1, endColumn - 1);
}

test("guarantee 17: a value of package.json that both sides changed stays and is reported once", () => {
  const project = generated();
  project.edit("package.json", (text) => text.replace("1.0.0", "9.9.9"));
  const two = projectFiles(["one"], "2");
  const { diagnostics, sources } = generate(project, two);
  const text = project.text("package.json");
  assert.equal(
    diagnostics.map(({ code, ...place }) => [code, textAt(text, place)]),
    [["MW4007", '"version"']],
  );
  assert.is(sources?.get("package.json"), text);
  assert.match(text, /9\.9\.9/);
  assert.equal(planFor(project.tree, two).diagnostics, []);
  assert.equal(planFor(project.tree, two).operations, []);
});

test("a conflict in .env.example keeps the lines of both sides, and is reported once", () => {
  const project = generated();
  const sides = "<<<<<<< HEAD\nA=1\n||||||| base\nOLD=1\n=======\nB=2\n>>>>>>> other\n";
  project.edit(".env.example", (text) => text + sides);
  const files = projectFiles(["one"]);
  assert.equal(codes(generate(project, files)), ["MW4010"]);
  assert.match(project.text(".env.example"), /KEY=\nA=1\nB=2\n$/);
  assert.equal(planFor(project.tree, files).diagnostics, []);
});

test("a conflict is reported at its key, also after lines that the run adds, or at the key around it", () => {
  const file = (content: object): OutputFile => ({
    ...{ owner: "merged", format: "json", path: "package.json" },
    content: JSON.stringify(content, null, 2),
  });
  const before = [file({ name: "demo", scripts: { build: "tsc" } })];
  const after = [file({ type: "module", name: "demo", scripts: { build: "tsc -b", test: "t" } })];
  for (const [edited, pointedAt] of [
    ['{\r\n\t"name": "demo",\r\n\t"scripts": { "build": "mine" }\r\n}', '"build"'],
    ['{\n  "name": "demo",\n  "scripts": {}\n}', '"scripts"'],
    ['{"name":"demo"}', ""],
  ] as const) {
    const project = generated(before);
    project.write("package.json", edited);
    const [found, ...more] = generate(project, after).diagnostics;
    assert.is(found && textAt(project.text("package.json"), found), pointedAt);
    assert.equal(more, []);
    const removed = /^scripts(\.build)? was removed here and changed by mcpwright; it stays away/;
    assert.is(removed.test(found?.message ?? ""), !edited.includes("mine"), found?.message);
  }
});

/** A generated `package.json` whose script `mock` builds the server and starts it with an option. */
const withMock = (option: string): OutputFile[] => {
  const scripts = {
    build: "mcpwright-runtime compile && mcpwright-runtime bundle",
    mock: `npm run build && node dist/bundle.mjs ${option}`,
    prepack: "npm run build",
  };
  const content = JSON.stringify({ name: "demo", scripts }, null, 2);
  return [{ owner: "merged", format: "json", path: "package.json", content }];
};

function scriptsOf(project: ReturnType<typeof generated>): Record<string, string> {
  const { scripts } = JSON.parse(project.text("package.json")) as {
    scripts: Record<string, string>;
  };
  return scripts;
}

test("a generated script builds the server by itself where the script `build` is the owner's", () => {
  const project = generated([]);
  project.write("package.json", '{ "name": "app", "scripts": { "build": "esbuild src/app.ts" } }');
  generate(project, withMock("--mock"));
  const built = "mcpwright-runtime compile && mcpwright-runtime bundle && node dist/bundle.mjs";
  assert.equal(scriptsOf(project), { build: "esbuild src/app.ts", mock: `${built} --mock` });

  assert.equal(codes(generate(project, withMock("--mock=2"))), []);
  assert.is(scriptsOf(project)["mock"], `${built} --mock=2`, "it follows a later change");
  project.edit("package.json", (text) => text.replace("--mock=2", "--mine"));
  assert.equal(codes(generate(project, withMock("--mock=2"))), []);
  assert.is(scriptsOf(project)["mock"], `${built} --mine`, "what a person changed stays");
});

test("a generated script runs the owner's script `build` where that builds the server too", () => {
  const project = generated(withMock("--mock"));
  const asGenerated = scriptsOf(project)["mock"];
  project.edit("package.json", (text) => text.replace("runtime bundle", "$& && vite build"));
  assert.equal(codes(generate(project, withMock("--mock"))), []);
  assert.is(scriptsOf(project)["mock"], asGenerated);
  const own = "esbuild src/app.ts";
  project.edit("package.json", (text) => text.replace(/mcpwright-runtime compile[^"]*/, own));
  generate(project, withMock("--mock"));
  assert.match(scriptsOf(project)["mock"] ?? "", /^mcpwright-runtime compile /);
});

test("a dependency that is newer than the generated one stays without a report; an older one is reported", () => {
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

test("a package whose scripts its owner has let run or forbidden is not decided about again", () => {
  const filesWith = (allowScripts?: object): OutputFile[] => {
    const content = JSON.stringify({ name: "demo", allowScripts }, null, 2);
    return [{ owner: "merged", format: "json", path: "package.json", content }];
  };
  const decisions = (project: ReturnType<typeof generated>): unknown =>
    (JSON.parse(project.text("package.json")) as { allowScripts?: object }).allowScripts;
  for (const own of [{ "esbuild@0.28.2": true }, { esbuild: true }, { esbuild: false }]) {
    const project = generated(filesWith());
    project.write("package.json", JSON.stringify({ name: "demo", allowScripts: own }));
    for (let time = 0; time < 2; time++) {
      assert.equal(codes(generate(project, filesWith({ esbuild: false }))), []);
      assert.equal(decisions(project), own);
    }
  }
  const project = generated(filesWith());
  const own = { "@acme/a@1.0.0": true };
  project.write("package.json", JSON.stringify({ name: "demo", allowScripts: own }));
  generate(project, filesWith({ esbuild: false }));
  assert.equal(decisions(project), { esbuild: false, ...own });
  project.edit("package.json", (text) =>
    text.replace(/"esbuild": ?false/, '"esbuild@1.0.0": true'),
  );
  assert.equal(codes(generate(project, filesWith({ esbuild: false, other: false }))), []);
  assert.equal(decisions(project), { "esbuild@1.0.0": true, other: false, ...own });
});

test("a package.json with conflict markers is left alone until it is repaired", () => {
  const project = generated();
  const whole = project.text("package.json");
  project.write("package.json", `<<<<<<< a\n${whole}=======\n>>>>>>> b\n`);
  const two = projectFiles(["one"], "2");
  for (let run = 0; run < 2; run++) {
    const { diagnostics } = generate(project, two);
    assert.equal(
      diagnostics.map(({ code, line }) => [code, line]),
      [["MW4006", 1]],
    );
  }
  project.write("package.json", whole);
  generate(project, two);
  assert.match(project.text("package.json"), /2\.0\.0/);
});

test("a package.json that is no JSON is reported at its first error", () => {
  const two = projectFiles(["one"], "2");
  for (const [text, pointedAt] of [
    ['{\n  "name": "demo",\n  "type" "module"\n}', [3, '"module"']],
    ["[1]", [1, "[1]"]],
    ["{\n  \"name\": 'demo'\n}", [2, "'demo'"]],
  ] as const) {
    const project = generated();
    project.write("package.json", text);
    const [found] = generate(project, two).diagnostics;
    assert.equal(found && [found.line, textAt(text, found)], pointedAt);
  }
});

test.run();
