import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { longTest, shortOrLong } from "../../harness/runner/test-length.js";
import {
  commit,
  differences,
  edit,
  git,
  read,
  TestFolders,
  write,
} from "../../harness/projects/project-folder.js";

/** Branches that change different items of one server, merged by git. */

const folders = new TestFolders();
test.after(folders.remove);

const TOOLS = ["alpha", "beta", "gamma", "delta"];

/** A tool with everything that several generated files tell of. */
function toolText(name: string): string {
  return `
  - name: ${name}
    description: Does ${name}.
    inputSchema:
      type: object
      properties:
        ${name}_id: { type: string, description: Which ${name} }
        count: { type: integer, default: 3 }
      required: [${name}_id]
    outputSchema:
      type: object
      properties:
        ${name}_state: { type: string }
      required: [${name}_state]
    examples:
      - name: one ${name}
        arguments: { ${name}_id: first }
        result: { ${name}_state: done }
`;
}

const manifestOf = (tools: readonly string[]): string => `name: demo
version: 1.0.0
transports: [{ type: stdio }, { type: http }]
exposure: search
tools:${tools.join("")}
prompts:
  - name: ask
    description: Asks.
    messages: [{ role: user, content: { type: text, text: Ask. } }]
`;

/** Generates, and expects that nothing needs a person. */
async function generate(folder: string): Promise<void> {
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
}

/** Expects that all files are as the manifest says, the lock among them. */
async function assertCurrent(folder: string): Promise<void> {
  const { status, out, err } = await mcpwright(folder, "check");
  assert.is(status, 0, out + err);
}

/** A repository in which the server was generated and committed. */
async function repository(
  name: string,
  tools: readonly string[] = TOOLS.map(toolText),
): Promise<string> {
  const folder = await folders.make(name);
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await write(folder, "mcp.yaml", manifestOf(tools));
  await generate(folder);
  await commit(folder, "Begin");
  return folder;
}

/** A branch from `main` in which something was changed and generated. */
async function branch(
  folder: string,
  name: string,
  change: (folder: string) => Promise<void>,
): Promise<void> {
  await git(folder, "checkout", "--quiet", "-b", name, "main");
  await change(folder);
  await generate(folder);
  await commit(folder, name);
}

/** The files that git could not merge. */
async function conflictsOfMerging(folder: string, name: string): Promise<string[]> {
  await git(folder, "merge", "--quiet", "--no-edit", name).catch(() => "conflicts");
  const paths = await git(folder, "diff", "--name-only", "--diff-filter=U");
  return paths.split("\n").filter((path) => path !== "");
}

/** Changes what callers and people read of a tool, its schemas, an example and its handler. */
const changeTool = (name: string) => async (folder: string) => {
  await edit(folder, "mcp.yaml", (text) =>
    text
      .replace(`Does ${name}.`, `Does ${name} better.`)
      .replace(`description: Which ${name} }`, `description: Which ${name}, maxLength: 80 }`)
      .replace(`${name}_state: { type: string }`, `${name}_state: { type: string, minLength: 1 }`)
      .replace(`one ${name}`, `another ${name}`),
  );
  await edit(folder, `src/tools/${name}.ts`, (text) => `${text}\n// The better ${name}.\n`);
};

/** Tools that stand beside each other, and in the long form also two that are apart. */
const CHANGED = [
  ...shortOrLong<readonly (readonly [one: string, two: string])[]>([], [["alpha", "delta"]]),
  ["beta", "gamma"],
] as const;

for (const [one, two] of CHANGED) {
  test(`branches that change ${one} and ${two} merge without a conflict, and generate has nothing to do`, async () => {
    const folder = await repository("changes");
    await branch(folder, "one", changeTool(one));
    await branch(folder, "two", changeTool(two));
    assert.equal(await conflictsOfMerging(folder, "one"), []);
    await assertCurrent(folder);
    for (const name of [one, two]) {
      assert.match(await read(folder, `src/tools/${name}.ts`), `The better ${name}.`);
      assert.match(await read(folder, "SERVER.md"), `Does ${name} better.`);
    }
  });
}

test("branches merge without a conflict where one changes a shared schema and the other lets a tool list it", async () => {
  const folder = await repository("shared-schemas");
  const useSchema = (text: string): string =>
    text.replace("count: { type: integer, default: 3 }", 'place: { $ref: "#/schemas/Place" }');
  const schemas = "schemas:\n  Place: { type: string, maxLength: 80 }\n";
  await edit(folder, "mcp.yaml", (text) => useSchema(text) + schemas);
  await generate(folder);
  await commit(folder, "Share a schema");
  await branch(folder, "one", (branched) =>
    edit(branched, "mcp.yaml", (text) => text.replace("maxLength: 80", "maxLength: 90")),
  );
  await branch(folder, "two", (branched) => edit(branched, "mcp.yaml", useSchema));
  assert.equal(await conflictsOfMerging(folder, "one"), []);
  await generate(folder);
  await assertCurrent(folder);
  const definitions = await read(folder, "src/generated/schema-definitions.ts");
  assert.equal(definitions.match(/maxLength: \d+/g), ["maxLength: 90"]);
  for (const name of ["alpha", "beta"]) {
    assert.match(await read(folder, `src/generated/tools/${name}.ts`), "Place: definitions.Place");
  }
});

// In short, `guarantees-on-disk.test.ts` stands for it, with other generated files that are edited.
longTest("an edited SERVER.md is also reported after a merge", async () => {
  const folder = await repository("edited");
  await branch(folder, "one", changeTool("alpha"));
  await branch(folder, "two", changeTool("delta"));
  assert.equal(await conflictsOfMerging(folder, "one"), []);
  await edit(folder, "SERVER.md", (text) => text.replace("Does beta.", "Does what I say."));
  await edit(folder, "mcp.yaml", (text) => text.replace("Does gamma.", "Does gamma anew."));
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 3);
  assert.match(err, /SERVER\.md.*MW4/);
  assert.match(await read(folder, "SERVER.md"), "Does what I say.");
});

const addTool = (name: string) => (folder: string) =>
  edit(folder, "mcp.yaml", (text) => text.replace("\nprompts:", `${toolText(name)}\nprompts:`));

test("branches that add a tool at the same position conflict only in the manifest; generate resolves the rest", async () => {
  const folder = await repository("additions");
  await branch(folder, "one", addTool("epsilon"));
  await branch(folder, "two", addTool("zeta"));
  const conflicts = await conflictsOfMerging(folder, "one");
  assert.equal(conflicts, ["mcp.yaml"]);
  await edit(folder, "mcp.yaml", (text) => text.replace(/^(<{7}|={7}|>{7}).*\n/gm, ""));
  await generate(folder);
  await commit(folder, "Merge");
  await assertCurrent(folder);
  const fresh = await folders.make("fresh");
  await write(fresh, "mcp.yaml", await read(folder, "mcp.yaml"));
  await generate(fresh);
  for (const path of ["mcpwright.lock.json", "src/generated/server.ts", "SERVER.md"]) {
    assert.is(await read(folder, path), await read(fresh, path), path);
  }
});

/** A tool that has only an input, so that the lists of types tell of it in one line. */
function inputOnly(name: string): string {
  return toolText(name)
    .replace(/    outputSchema:[^]*?(?=    examples:)/, "")
    .replace(/    examples:[^]*/, "");
}

/** The first output schema of a tool that had none. */
const addOutput = (name: string) => (folder: string) =>
  edit(folder, "mcp.yaml", (text) =>
    text.replace(
      `required: [${name}_id]\n`,
      (line) =>
        `${line}    outputSchema: { type: object, properties: { ${name}_state: { type: string } } }\n`,
    ),
  );

// In short, the branches above that change neighbouring tools stand for it.
longTest(
  "neighbouring tools that get their first output schema on two branches have no conflict",
  async () => {
    const folder = await repository("outputs", TOOLS.map(inputOnly));
    await branch(folder, "one", addOutput("beta"));
    await branch(folder, "two", addOutput("gamma"));
    const conflicts = await conflictsOfMerging(folder, "one");
    assert.equal(conflicts, []);
    await generate(folder);
    await commit(folder, "Merge");
    await assertCurrent(folder);
    const fresh = await folders.make("fresh-outputs");
    await write(fresh, "mcp.yaml", await read(folder, "mcp.yaml"));
    await generate(fresh);
    // Lines of both branches that neither the manifest of one nor that of both has.
    assert.equal(await differences(folder, fresh), ["src/generated/index.ts.saved"]);
  },
);

test.run();
