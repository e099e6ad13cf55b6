import { test } from "uvu";
import * as assert from "uvu/assert";
import { runtimeVersion } from "../5-emit/project/runtime-package.js";
import { MemoryProject } from "../testing/harness/projects/memory-project.js";
import { unfitting, withRuntimeFit } from "./runtime-fit.js";

const NEEDED = "1.2.3-hdeadbee";

test("a specifier fits if it gives the needed version, or if package.json does not say the version", () => {
  for (const specifier of [
    ...["^1.2.3", "~1.2.0", "1.2.3", "1.x", ">=1.0.0 <2", NEEDED, "npm:@fork/runtime@^1.2.0"],
    ...["workspace:*", "workspace:^", "workspace:~", "workspace:^1.0.0", "catalog:", "catalog:mcp"],
    ...["link:../runtime", "file:../runtime", "portal:../runtime", "file:../../dist/runtime.tgz"],
    ...["../runtime", `file:../mcpwright-runtime-${NEEDED}.tgz`],
  ]) {
    assert.is(unfitting(specifier, NEEDED), undefined, specifier);
  }
});

test("a specifier of an older or a newer version does not fit", () => {
  for (const specifier of [
    ...[
      "^1.2.4",
      "^1.1.0 <1.2.0",
      "1.2.2",
      "^2.0.0",
      "^0.9.0",
      "~1.1.0",
      "workspace:^1.3.0",
      "workspace:~1.1.0",
    ],
    ...["npm:fork@1.0.0", "file:vendored/mcpwright-runtime-1.2.3-hcafe000.tgz"],
    "https://host.example/mcpwright-runtime-1.2.2.tgz",
  ]) {
    assert.is(unfitting(specifier, NEEDED), "another", specifier);
  }
});

test("a specifier that may give any version does not fit", () => {
  for (const specifier of [
    "*",
    "",
    "latest",
    "next",
    "github:a/b",
    "a/b",
    "git+ssh://git@host/a",
  ]) {
    assert.is(unfitting(specifier, NEEDED), "any", specifier);
  }
});

async function foundIn(packageJson: object, manifest = {}): Promise<string[]> {
  const project = new MemoryProject();
  project.write("package.json", JSON.stringify(packageJson, undefined, 2));
  const plan = { changes: [], semantic: [], diagnostics: [], operations: [] };
  const { diagnostics } = await withRuntimeFit(plan, manifest, project.tree);
  return diagnostics.map(
    ({ file, line, column, message }) => `${file}:${line}:${column} ${message}`,
  );
}

const RUNTIME = "@mcpwright/runtime";

test("a specifier that does not fit is reported at its line, unless the manifest switches the warning off", async () => {
  const older = { name: "demo", dependencies: { [RUNTIME]: "^0.0.9" } };
  assert.equal(await foundIn(older), [
    `package.json:4:5 ^0.0.9 gives another runtime than version ${runtimeVersion()}, which the code is generated for`,
  ]);
  assert.equal(await foundIn(older, { diagnostics: { MW4017: "off" } }), []);
  assert.equal(await foundIn({ devDependencies: { [RUNTIME]: "workspace:*" } }), []);
  const vendored = "file:vendor/mcpwright-runtime-0.0.9.tgz";
  assert.equal(await foundIn({ devDependencies: { [RUNTIME]: vendored } }), []);
});

test.run();
