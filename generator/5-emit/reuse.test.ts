import { hash } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { applyPlan } from "../7-apply/apply.js";
import { plan } from "../plan.js";
import { checkedManifest } from "../testing/harness/projects/checked-manifest.js";
import {
  careful,
  HANDLER,
  MINE,
  toolManifest,
  VERSION,
} from "../testing/harness/projects/emitted-project.js";
import { MemoryProject, ROOT } from "../testing/harness/projects/memory-project.js";
import { weatherModel } from "../testing/harness/projects/weather-model.js";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import type { OutputFile } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";
import { Reuse, type FormerProject } from "./reuse.js";

const FORECAST = { name: "get_forecast" };
const one = toolManifest([FORECAST]);
const other = toolManifest([FORECAST, { name: "get_alerts" }]);

/** A project whose runs keep what later ones may reuse. */
class ReusingProject {
  readonly project = new MemoryProject();
  kept: string | undefined;

  /** Generates, and says whether files were made. */
  async generate(manifest: string): Promise<boolean> {
    const reuse = new Reuse("this", this.kept);
    const made = await plan(checkedManifest(manifest), this.project.tree, VERSION, careful, {
      reuse,
    });
    const plain = await plan(checkedManifest(manifest), this.project.tree, VERSION, careful);
    assert.equal(made, plain, "the same with and without");
    assert.equal(applyPlan(ROOT, made, this.project.files), []);
    const next = reuse.toKeep();
    this.kept = next ?? this.kept;
    return next !== undefined;
  }
}

async function generated(): Promise<ReusingProject> {
  const project = new ReusingProject();
  assert.is(await project.generate(one), true);
  return project;
}

test("files of an unchanged manifest are made once, even if a person has edited handlers", async () => {
  const reusing = await generated();
  assert.is(await reusing.generate(one), false);
  const { project } = reusing;
  project.write(HANDLER, MINE);
  project.edit("package.json", (text) => text.replace("{", '{ "mine": 1,'));
  project.write("README.md", "mine\n");
  project.edit("src/main.ts", (text) => text.replaceAll("\n", "\r\n"));
  assert.is(await reusing.generate(one), false);
  assert.is(await reusing.generate(other), true);
});

test("a generated file that was edited or deleted is made again", async () => {
  const reusing = await generated();
  reusing.project.edit("src/main.ts", (text) => `${text}// mine\n`);
  assert.is(await reusing.generate(one), true);
  reusing.project.remove("src/main.ts");
  assert.is(await reusing.generate(one), true);
  assert.is(await reusing.generate(one), false);
});

test("a record of another version, or a malformed one, is ignored", async () => {
  const reusing = await generated();
  const kept = reusing.kept ?? "";
  for (const text of [
    kept.replace('"compiler":"this"', '"compiler":"other"'),
    kept.slice(0, -9),
    "",
    "null",
    "[]",
    '{"compiler":"this"}',
    kept.replace(/"files":\[/, '"files":[null,'),
    kept.replace(/"files":\[/, '"files":[{"file":7},'),
    kept.replace(/"files":\[[^]*\]/, '"files":{}'),
  ]) {
    reusing.kept = text;
    assert.is(await reusing.generate(one), true, text.slice(0, 80));
  }
});

test("a text that someone planted in the record is never written, even with a matching hash", async () => {
  const reusing = await generated();
  const made = JSON.parse(reusing.kept ?? "") as {
    files: { file: { path: string }; hash: string; text?: string }[];
  };
  for (const [path, text] of [
    ["src/main.ts", "import('evil');\n"],
    [HANDLER, "import('evil');\n"],
  ]) {
    const planted = made.files.map((entry) =>
      entry.file.path === path ? { ...entry, text, hash: hash("sha256", text ?? "") } : entry,
    );
    reusing.kept = JSON.stringify({ ...made, files: planted });
    reusing.project.remove(HANDLER);
    assert.is(await reusing.generate(one), true, path);
    assert.not.match(reusing.project.text(path ?? ""), "evil");
  }
});

test("an edited file is noticed even if someone planted its hash in the record", async () => {
  const reusing = await generated();
  const evil = "import('evil');\n";
  reusing.project.write("src/main.ts", evil);
  const made = JSON.parse(reusing.kept ?? "") as { files: { file: { path: string } }[] };
  const planted = made.files.map((entry) =>
    entry.file.path === "src/main.ts" ? { ...entry, hash: hash("sha256", evil) } : entry,
  );
  reusing.kept = JSON.stringify({ ...made, files: planted });
  assert.is(await reusing.generate(one), true);
});

test("a forged record makes mcpwright accept neither files of another manifest nor missing files", async () => {
  const reusing = await generated();
  const kept = reusing.kept ?? "";
  const byOther = await generated();
  assert.is(await byOther.generate(other), true);
  const { source: sourceOfOther } = JSON.parse(byOther.kept ?? "") as { source: string };
  reusing.kept = kept.replace(
    /"source":"[0-9a-f]{64}","files"/,
    `"source":"${sourceOfOther}","files"`,
  );
  assert.not.equal(reusing.kept, kept);
  assert.is(await reusing.generate(other), true, "of another manifest");
  const made = JSON.parse(reusing.kept) as { files: { file: { path: string; owner: string } }[] };
  const { files } = made;
  for (const planted of [
    files.filter(({ file }) => !file.path.endsWith("get-alerts.ts")),
    [],
    files.map((entry) => ({ ...entry, file: { ...entry.file, owner: "generated" } })),
  ]) {
    reusing.kept = JSON.stringify({ ...made, files: planted });
    assert.is(await reusing.generate(other), true, `${planted.length} files`);
    assert.is(await reusing.generate(other), false);
  }
});

test("after random changes of manifest and files, a run gives the same files with and without reuse", async () => {
  const random = randomNumbers(7);
  let reusing = new ReusingProject();
  let reused = 0;
  for (let round = 0; round < shortOrLong(16, 48); round++) {
    // What was edited is never reused again.
    if (round % 8 === 0) reusing = new ReusingProject();
    const { project } = reusing;
    const names = ["get_forecast", "get_alerts", "list_places"].slice(0, 1 + random(3));
    const takes = ["city", "day"].slice(random(2));
    const manifest = toolManifest(
      names.map((name) => ({ name, takes })),
      `1.0.${random(2)}`,
    );
    if (!(await reusing.generate(manifest))) reused += 1;
    const paths = Object.keys(project.snapshot());
    const path = paths[random(paths.length)] ?? HANDLER;
    const isTouched = path !== "mcpwright.lock.json" && !path.endsWith(".json");
    if (random(4) === 0 && isTouched) project.edit(path, (text) => `${text}\n`);
    if (random(9) === 0 && isTouched) project.remove(path);
    if (random(2) === 0 && !(await reusing.generate(manifest))) reused += 1;
  }
  assert.ok(reused > 5, `reused ${reused} times`);
});

test("a model with another order of keys or with further keys is a different model", async () => {
  const file: OutputFile = { owner: "generated", path: "a", content: "a\n" };
  const former: FormerProject = {
    textOf: () => "a\n",
    wasGenerated: () => true,
    isWhole: () => true,
  };
  const { name, env, ...others } = weatherModel;
  const models: ServerModel[] = [
    { name, env, ...others },
    { env, name, ...others },
    { name, env, ...others, instructions: "" },
    { name: `${name}s`, env, ...others },
  ];
  const reuse = new Reuse("this", undefined);
  for (const model of [...models, ...models]) {
    let makes = 0;
    const source = { model, manifestPath: undefined };
    const make = async (): Promise<OutputFile[]> => [{ ...file, content: `${(makes += 1)}` }];
    await reuse.files(source, former, make);
    assert.is(makes, 1);
  }
});

test.run();
