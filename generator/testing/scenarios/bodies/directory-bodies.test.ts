import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { testProjects } from "../../harness/projects/built-project.js";
import {
  FixtureProject,
  runCommand,
  withoutHeader,
} from "../../harness/projects/fixture-project.js";
import { copyUserFiles } from "../../harness/projects/generated-project.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { answersOf } from "../../harness/clients/in-process-answers.js";

/** A project whose templates are directories of the manifest, from its first generation to its own code and back. */
const fixture = new FixtureProject("directory-bodies");
const isLong = shortOrLong(false, true);
/** The project as it is generated first, once a test has built it. */
let built = "";

test.after(async () => {
  await fixture.remove();
});

async function generatedExample(): Promise<string> {
  const example = fileURLToPath(new URL("examples/files", packageRoot));
  const folder = await copyUserFiles(example, "files");
  fixture.add(folder);
  await runCommand(folder, "generate");
  return folder;
}

const read = async (folder: string, path: string): Promise<string> =>
  readFile(join(folder, path), "utf8");

test("the generated code of a directory body looks hand-written", async () => {
  const folder = await fixture.copy();
  const bodies = "src/generated/bodies/resources";
  assert.is(
    withoutHeader(await read(folder, `${bodies}/notes.ts`)),
    `import type { ResourceTemplateHandler } from "../../index.ts";

/** Reads the files of the directory that the variable \`NOTES\` names. */
export const notes: ResourceTemplateHandler<"notes"> = async ({ path }, ctx) => {
  return ctx.directories.open(ctx.env.NOTES, { hidden: true }).read(path);
};
`,
  );
  assert.is(
    withoutHeader(await read(folder, `${bodies}/docs.list.ts`)),
    `import type { ResourceTemplateList } from "../../index.ts";

/** The existing instances. */
export const docsInstances: ResourceTemplateList<"docs"> = async (ctx) => {
  const files = await ctx.directories.open("docs", { maxBytes: 65536 }).list();
  return files.map(({ path, ...file }) => ({ ...file, variables: { file: path } }));
};
`,
  );
  assert.match(await read(folder, `${bodies}/docs.complete.ts`), ".complete(value)");
  const document = await read(folder, "SERVER.md");
  assert.match(document, "It reads the files of the directory `docs`.");
  assert.match(document, "It reads the files of the directory that `NOTES` names.");
});

test("the tests of directory bodies pass, before and after people take over all of the code, as do those of examples/files", async () => {
  const folder = await fixture.copy();
  const whole = await read(folder, "mcp.yaml");
  const names = ["docs", "docs.list", "notes", "notes.list", "drafts"];
  const former = await Promise.all(
    names.map((name) => read(folder, `src/generated/bodies/resources/${name}.ts`)),
  );
  await writeFile(
    join(folder, "mcp.yaml"),
    whole.replace(/ {4}directory: .*list: false.*\n/, "").replace(/directory: .*/g, "list: code"),
  );
  const plan = await runCommand(folder, "plan");
  const words = "(what the manifest said that it does, yours from now on)";
  for (const name of names) assert.match(plan, `+ src/resources/${name}.ts  ${words}`);
  await runCommand(folder, "generate");
  const own = await Promise.all(names.map((name) => read(folder, `src/resources/${name}.ts`)));
  for (const [index, text] of former.entries()) {
    assert.is(own[index], withoutHeader(text).replace("../../index.ts", "../generated/index.ts"));
  }
  assert.match(await read(folder, "package.json"), '"mime": "', "handlers still need it");
  built = await fixture.copy();
  // In short, the tests of the generated project alone are run, as those of SQL bodies are.
  const others = isLong ? [folder, await generatedExample()] : [];
  const folders = [built, ...others];
  await Promise.all(folders.map(installShared));
  const [first = "", , ofExample = ""] = await testProjects(folders);
  assert.match(first, /generated\/server\.test\.js[^]*?\((\d+) \/ \1\)/);
  // It serves only the files of its folder.
  if (isLong) assert.match(ofExample, /files\.test\.js[^]*?\(3 \/ 3\)/);
  assert.match(await runCommand(folder, "generate"), "nothing to do");
  await runCommand(folder, "check");

  await writeFile(join(folder, "mcp.yaml"), whole);
  assert.match(await runCommand(folder, "plan"), "src/removed/resources/docs.ts");
  await runCommand(folder, "generate");
  for (const [index, name] of names.entries()) {
    assert.is(await read(folder, `src/removed/resources/${name}.ts`), own[index]);
  }
});

test("clients list, complete and read files, and mock mode reads none", async () => {
  const folder = built;
  await mkdir(join(folder, "docs/guide"), { recursive: true });
  await writeFile(join(folder, "docs/guide/First steps.md"), "# First steps");
  await writeFile(join(folder, "docs/.secret"), "secret");
  const list = { method: "resources/list", params: {} };
  const reading = { method: "resources/read", params: { uri: "docs:///guide/First%20steps.md" } };
  const ref = { type: "ref/resource", uri: "docs:///{+file}" };
  const complete = {
    method: "completion/complete",
    params: { ref, argument: { name: "file", value: "gui" } },
  };
  const answers = await answersOf(folder, { env: { NOTES: join(folder, "notes") } }, [
    list,
    reading,
    complete,
  ]);
  assert.match(
    answers,
    '{"uri":"docs:///guide/First%20steps.md","name":"guide/First steps.md","size":13,"mimeType":"text/markdown"}',
  );
  assert.match(answers, '"text":"# First steps"');
  assert.match(answers, '"values":["guide/First steps.md"]');
  assert.not.match(answers, "secret");
  const mocked = await answersOf(folder, { mock: true }, [list, reading]);
  assert.match(mocked, '"resources":[]');
  assert.match(mocked, "A mock answer of docs.");
});

test.run();
