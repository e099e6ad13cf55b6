import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ToolError } from "../../src/generated/index.ts";
import { createTestContext } from "../generated/testing.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { temporaryWorkspace } from "../services.ts";

const { folder, workspace, remove } = await temporaryWorkspace();
const ctx = createTestContext({ services: { workspace } });
test.after(remove);

test("writes a file, in folders that it makes", async () => {
  const answer = await writeFile({ path: "a/b/note.txt", content: "héllo" }, ctx);
  assert.is(answer, "Wrote 6 bytes to a/b/note.txt");
  assert.is(await readFile(join(folder, "workspace/a/b/note.txt"), "utf8"), "héllo");
});

test("refuses paths that lead out of the workspace", async () => {
  const root = join(folder, "workspace");
  await symlink(folder, join(root, "out"));
  await symlink(join(folder, "secret.txt"), join(root, "link.txt"));
  const escapes = [
    "../secret.txt",
    "a/../../secret.txt",
    join(folder, "secret.txt"),
    "out/secret.txt",
    ".",
  ];
  for (const path of escapes) {
    const refused = await Promise.resolve(writeFile({ path, content: "x" }, ctx)).catch(
      (error: unknown) => error,
    );
    assert.instance(refused, ToolError, path);
  }
  const linked = await Promise.resolve(writeFile({ path: "link.txt", content: "x" }, ctx)).catch(
    (error: unknown) => error,
  );
  assert.instance(linked, Error);
  assert.is(await readFile(join(folder, "secret.txt"), "utf8"), "secret");
});

test.run();
