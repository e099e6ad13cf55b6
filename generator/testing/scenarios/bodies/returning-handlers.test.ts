import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Plan } from "../../../model/plan.js";
import {
  codes,
  generate,
  generated,
  toolManifest,
} from "../../harness/projects/emitted-project.js";
import type { MemoryProject } from "../../harness/projects/memory-project.js";

/** Renames there and back: which of the files of an item that a person edited continues as its handler or test. */

const OLD = toolManifest([{ name: "old" }]);
const NEW = toolManifest([{ name: "new", renamedFrom: ["old"] }]);
const NEITHER = toolManifest([{ name: "other" }]);

/** Adds a line to a file, as a person does. */
function write(project: MemoryProject, path: string, line: string): void {
  project.edit(path, (text) => `${text}// ${line}\n`);
}

/** The lines that tests of this file have added, by the paths of the files with them. */
function written(project: MemoryProject): Record<string, string> {
  const lines = Object.entries(project.snapshot()).flatMap(([path, text]) => {
    const [, line] = /^\/\/ (my .*)$/m.exec(text) ?? [];
    return line === undefined ? [] : [[path, line]];
  });
  return Object.fromEntries(lines);
}

/** Generates one manifest after the other. Every second run of a manifest must be empty. */
async function generateEach(project: MemoryProject, ...manifests: string[]): Promise<Plan> {
  let last: Plan | undefined;
  for (const manifest of manifests) {
    last = await generate(project, manifest);
    assert.equal(codes(last), []);
    const { changes, operations } = await generate(project, manifest);
    assert.equal([changes, operations], [[], []], "a second run");
  }
  assert.ok(last);
  return last;
}

function kept({ changes }: Plan): string[] {
  return changes.flatMap(({ op, path, reason = "" }) =>
    op === "keep" ? [`${path}: ${reason}`] : [],
  );
}

test("a removed handler and its test come back with their renamed tool, where the old name has stubs", async () => {
  const project = await generated(OLD);
  write(project, "src/tools/old.ts", "my handler");
  write(project, "test/tools/old.test.ts", "my test");
  await generateEach(project, NEW);
  const renamed = { "src/tools/new.ts": "my handler", "test/tools/new.test.ts": "my test" };
  assert.equal(written(project), renamed);
  const before = project.snapshot("src/tools");

  await generateEach(project, OLD);
  assert.equal(written(project), {
    "src/removed/tools/new.test.ts": "my test",
    "src/removed/tools/new.ts": "my handler",
  });
  assert.match(project.text("src/tools/old.ts"), "NotImplementedError");

  const back = await generateEach(project, NEW);
  assert.equal(written(project), renamed);
  assert.equal(project.snapshot("src/tools"), before);
  assert.not.ok(project.has("test/tools/old.test.ts"));
  assert.equal(kept(back), []);
});

test("imports of the stub under the old name follow to the handler that comes back", async () => {
  const project = await generated(OLD);
  write(project, "src/tools/old.ts", "my handler");
  await generateEach(project, NEW, OLD);
  write(project, "test/tools/old.test.ts", "my test");
  project.write("src/all.ts", 'export { old } from "./tools/old.js";\n');
  await generateEach(project, NEW);
  assert.equal(written(project), {
    "src/tools/new.ts": "my handler",
    "test/tools/new.test.ts": "my test",
  });
  assert.is(project.text("src/all.ts"), 'export { new_ as old } from "./tools/new.js";\n');
  assert.match(
    project.text("test/tools/new.test.ts"),
    /^import \{ new_ as old \} from ".*src\/tools\/new\.ts";$/m,
  );
  assert.not.match(project.text("test/tools/new.test.ts"), "tools/old.");
});

test("an edited handler under the old name stays in use, and the plan says that the removed one stays", async () => {
  const project = await generated(OLD);
  write(project, "src/tools/old.ts", "my first");
  await generateEach(project, NEW, OLD);
  write(project, "src/tools/old.ts", "my second");
  const both = await generateEach(project, NEW);
  assert.equal(written(project), {
    "src/removed/tools/new.ts": "my first",
    "src/tools/new.ts": "my second",
  });
  assert.equal(kept(both), [
    "src/removed/tools/new.ts: it stays, since src/tools/new.ts comes from src/tools/old.ts",
  ]);
});

test("of several removed handlers of a tool, the last one comes back, and the plan names the others", async () => {
  const project = await generated(OLD);
  write(project, "src/tools/old.ts", "my first");
  await generateEach(project, NEW, OLD);
  write(project, "src/tools/old.ts", "my second");
  await generateEach(project, NEW);
  for (let round = 0; round < 2; round++) {
    await generateEach(project, OLD);
    assert.equal(written(project), {
      "src/removed/tools/new.2.ts": "my second",
      "src/removed/tools/new.ts": "my first",
    });
    assert.equal(kept(await generateEach(project, NEW)), [
      "src/removed/tools/new.ts: it stays, since src/tools/new.ts comes from src/removed/tools/new.2.ts",
    ]);
    assert.equal(written(project), {
      "src/removed/tools/new.ts": "my first",
      "src/tools/new.ts": "my second",
    });
  }
});

test("when a tool gets its old name back, its removed handler returns and the handler of the new name is removed", async () => {
  const project = await generated(OLD);
  write(project, "src/tools/old.ts", "my old one");
  await generateEach(project, NEITHER, toolManifest([{ name: "new" }]));
  write(project, "src/tools/new.ts", "my new one");
  await generateEach(project, OLD);
  assert.equal(written(project), {
    "src/removed/tools/new.ts": "my new one",
    "src/tools/old.ts": "my old one",
  });

  // A rename back is a rename too.
  const renamedBack = toolManifest([{ name: "old", renamedFrom: ["new"] }]);
  const fresh = await generated(OLD);
  write(fresh, "src/tools/old.ts", "my old one");
  await generateEach(fresh, NEITHER, toolManifest([{ name: "new" }]));
  const again = await generateEach(fresh, renamedBack);
  assert.equal([written(fresh), kept(again)], [{ "src/tools/old.ts": "my old one" }, []]);
});

test("a test is renamed or restored together with its handler", async () => {
  for (const isRenamed of [true, false]) {
    const project = await generated(OLD);
    write(project, "src/tools/old.ts", "my first handler");
    write(project, "test/tools/old.test.ts", "my first test");
    await generateEach(project, NEW, OLD);
    if (isRenamed) write(project, "src/tools/old.ts", "my second handler");
    else write(project, "test/tools/old.test.ts", "my second test");
    await generateEach(project, NEW);
    assert.equal(
      written(project),
      isRenamed
        ? {
            "src/removed/tools/new.test.ts": "my first test",
            "src/removed/tools/new.ts": "my first handler",
            "src/tools/new.ts": "my second handler",
          }
        : {
            "src/removed/tools/old.test.ts": "my second test",
            "src/tools/new.ts": "my first handler",
            "test/tools/new.test.ts": "my first test",
          },
    );
    assert.ok(project.has("test/tools/new.test.ts"));
  }
});

test("an edited handler under the old name replaces an untouched one under the new name", async () => {
  const project = await generated(toolManifest([{ name: "old" }, { name: "new" }]));
  write(project, "src/tools/old.ts", "my handler");
  const broken = "// my test\nconst it = {;\n";
  project.write("test/tools/old.test.ts", broken);
  await generateEach(project, NEW);
  assert.equal(written(project), {
    "src/removed/tools/old.test.ts": "my test",
    "src/tools/new.ts": "my handler",
  });
  assert.match(project.text("src/tools/new.ts"), 'ToolHandler<"new">');
  assert.is(project.text("src/removed/tools/old.test.ts"), broken);
  assert.ok(project.has("test/tools/new.test.ts"), "what cannot be read replaces nothing");
});

test("a rename that is declared after the new name has stubs brings the removed handler and its test back", async () => {
  const project = await generated(OLD);
  write(project, "src/tools/old.ts", "my handler");
  write(project, "test/tools/old.test.ts", "my test");
  project.write("src/all.ts", 'export { old } from "./tools/old.js";\n');
  await generateEach(project, toolManifest([{ name: "new" }]));
  assert.equal(written(project), {
    "src/removed/tools/old.test.ts": "my test",
    "src/removed/tools/old.ts": "my handler",
  });

  const { changes } = await generate(project, NEW);
  const moves = changes
    .filter(({ op }) => op !== "update")
    .map(({ op, from, path }) => [op, from, path]);
  assert.equal(moves, [
    ["move", "src/removed/tools/old.ts", "src/tools/new.ts"],
    ["move", "src/removed/tools/old.test.ts", "test/tools/new.test.ts"],
  ]);
  await generateEach(project, NEW);
  assert.equal(written(project), {
    "src/tools/new.ts": "my handler",
    "test/tools/new.test.ts": "my test",
  });
  assert.match(project.text("src/tools/new.ts"), 'ToolHandler<"new">');
  assert.is(project.text("src/all.ts"), 'export { new_ as old } from "./tools/new.js";\n');
  assert.not.ok(project.has("src/removed/tools/old.ts"));
});

test("a rename that is declared late moves nothing over what a person wrote under the new name", async () => {
  const project = await generated(OLD);
  write(project, "src/tools/old.ts", "my old handler");
  write(project, "test/tools/old.test.ts", "my old test");
  await generateEach(project, toolManifest([{ name: "new" }]));
  write(project, "src/tools/new.ts", "my new handler");
  await generateEach(project, NEW);
  assert.equal(written(project), {
    "src/removed/tools/old.test.ts": "my old test",
    "src/removed/tools/old.ts": "my old handler",
    "src/tools/new.ts": "my new handler",
  });
});

test("a removed handler that cannot be read stays, and so does the stub of the new name", async () => {
  const project = await generated(OLD);
  write(project, "src/tools/old.ts", "my handler");
  await generateEach(project, toolManifest([{ name: "new" }]));
  const broken = "// my handler\nexport const old = {;\n";
  project.write("src/removed/tools/old.ts", broken);
  const stub = project.text("src/tools/new.ts");
  await generateEach(project, NEW);
  assert.is(project.text("src/removed/tools/old.ts"), broken);
  assert.is(project.text("src/tools/new.ts"), stub);
});

test.run();
