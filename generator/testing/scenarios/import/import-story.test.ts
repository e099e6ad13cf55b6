import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { withBlocks } from "../../made/evolution-story.js";
import { IMPORTED, liveImportStory, petstoreFolder } from "../../made/import-story.js";

test("the documented import of the pet shop works as described", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-pet-shop-"));
  try {
    const blocks = await liveImportStory(folder);
    const readme = await readFile(join(petstoreFolder, "README.md"), "utf8");
    assert.is(withBlocks(readme, blocks), readme, "npm run examples tells it anew");
    for (const name of blocks.keys()) {
      assert.ok(readme.includes(`<!-- ${name} -->`), name);
    }
    for (const name of IMPORTED) {
      const written = await readFile(join(folder, name), "utf8");
      assert.is(await readFile(join(petstoreFolder, name), "utf8"), written, name);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
