import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readProjectFile } from "./file.js";

/** Swaps a folder and a link in its place as fast as it can. */
const swapping = `
const { renameSync } = require("node:fs");
const { workerData } = require("node:worker_threads");
const { folder, link, place } = workerData;
for (;;) {
  renameSync(folder, place);
  renameSync(place, folder);
  renameSync(link, place);
  renameSync(place, link);
}`;

test("a folder that a link replaces is never read through the link", async () => {
  const parent = await mkdtemp(join(tmpdir(), "swapped-"));
  const [root, outside] = [join(parent, "project"), join(parent, "outside")];
  const [folder, link, place] = ["folder", "link", "place"].map((name) => join(root, name));
  for (const [path, text] of [
    [folder!, "inside"],
    [outside, "outside"],
  ] as const) {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "it.txt"), text);
  }
  await symlink(outside, link!);
  const worker = new Worker(swapping, { eval: true, workerData: { folder, link, place } });
  const seen = new Map<string, number>();
  while ((seen.get("inside") ?? 0) < 50 || (seen.get("refused") ?? 0) < 500) {
    const text = await readProjectFile(root, "place/it.txt", { mostBytes: 100 }).then(
      String,
      () => "refused",
    );
    seen.set(text, (seen.get(text) ?? 0) + 1);
  }
  await worker.terminate();
  await rm(parent, { recursive: true });
  assert.equal([...seen.keys()].sort(), ["inside", "refused"]);
});

test.run();
