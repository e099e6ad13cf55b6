import { test } from "uvu";
import * as assert from "uvu/assert";
import { runtimeFile, runtimeVersion } from "../5-emit/project/runtime-package.js";
import {
  codes,
  generate,
  generated,
  toolManifest,
} from "../testing/harness/projects/emitted-project.js";

const MANIFEST = toolManifest([{ name: "echo" }]);
const VENDORED = `file:vendor/mcpwright-runtime-${runtimeVersion()}.tgz`;
const published = runtimeVersion().replace(/-.*/, "");

test("a project gets the runtime as a file unless its owner has named another source", async () => {
  const { path } = runtimeFile();
  for (const specifier of [
    ...[`^${published}`, "workspace:*", "file:../runtime", "link:../runtime", "catalog:"],
    `file:../packages/mcpwright-runtime-${runtimeVersion()}.tgz`,
  ]) {
    const project = await generated(MANIFEST);
    assert.ok(project.has(path));
    const packageJson = project.text("package.json").replace(VENDORED, specifier);
    assert.match(packageJson, specifier);
    project.write("package.json", packageJson);
    const next = toolManifest([{ name: "echo" }, { name: "other" }]);
    assert.equal(codes(await generate(project, next)), [], specifier);
    assert.match(project.text("package.json"), `"@mcpwright/runtime": "${specifier}"`);
    assert.not.ok(project.has(path), `${specifier}: the file is not needed any more`);
    assert.equal((await generate(project, next)).changes, [], "the next run changes nothing");
  }
});

test("an owner may move the runtime to the dependencies, and undo that by deleting the line", async () => {
  const project = await generated(MANIFEST);
  const { devDependencies, ...rest } = JSON.parse(project.text("package.json")) as {
    devDependencies: Record<string, string>;
  };
  const { "@mcpwright/runtime": _vendored, ...others } = devDependencies;
  const moved = {
    ...rest,
    devDependencies: others,
    dependencies: { "@mcpwright/runtime": "^9.0.0" },
  };
  project.write("package.json", JSON.stringify(moved));
  const plan = await generate(project, MANIFEST);
  assert.equal(codes(plan), ["MW4017"]);
  const kept = JSON.parse(project.text("package.json")) as typeof moved;
  assert.equal(kept.dependencies, { "@mcpwright/runtime": "^9.0.0" });
  assert.is((kept.devDependencies as Record<string, string>)["@mcpwright/runtime"], undefined);
  project.write("package.json", JSON.stringify({ ...rest, devDependencies: others }));
  assert.equal(codes(await generate(project, MANIFEST)), []);
  assert.ok(project.has(runtimeFile().path));
});

test.run();
