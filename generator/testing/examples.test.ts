import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "./generated-project.js";

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));

for (const name of readdirSync(examples)) {
  test(`examples/${name} equals the output of its manifest`, async () => {
    const { status, out, err } = await mcpwright(`${examples}${name}`, "check");
    assert.is(status, 0, `${out}${err}\nnpm run examples regenerates them`);
  });
}

/** A text file of a project that its owner may want to read. */
const isRead = (path: string): boolean => !/(^|\/)(node_modules|dist)\/|lock\.json$/.test(path);

test("a server with one tool has at most 23 files and 600 lines", () => {
  const folder = `${examples}minimal/`;
  const paths = readdirSync(folder, { encoding: "utf8", recursive: true }).filter(
    (path) => isRead(path) && statSync(folder + path).isFile(),
  );
  const lines = paths.map((path) => readFileSync(folder + path, "utf8").split("\n").length - 1);
  const total = lines.reduce((sum, count) => sum + count, 0);
  // In place of the tarball that other projects have, the examples name the runtime that the build has packed.
  assert.ok(paths.length + 1 <= 23, paths.join("\n"));
  assert.ok(total > 300 && total <= 600, `${total} lines in ${paths.length} files`);
});

/** The codes of what `validate` finds in a folder's manifest. */
async function codesIn(folder: string): Promise<string[]> {
  const { out } = await mcpwright(folder, "validate", "--json");
  const { diagnostics } = JSON.parse(out) as { diagnostics: { code: string }[] };
  return diagnostics.map(({ code }) => code);
}

test("the input schemas of examples and starters allow no additional properties", async () => {
  for (const name of readdirSync(examples)) {
    const codes = await codesIn(`${examples}${name}`);
    assert.not.ok(codes.includes("MW2314"), name);
  }
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-starters-"));
  try {
    for (const template of ["minimal", "full", "http", "sql", "exec", "directory"]) {
      const options = ["--template", template, "--name", "demo", "--transport", "stdio"];
      const { status, err } = await mcpwright(folder, "init", template, ...options);
      assert.is(status, 0, err);
      assert.equal(await codesIn(join(folder, template)), [], template);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
