import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { authorPage, liveAuthorStory } from "../../made/author-story.js";
import { withBlocks } from "../../made/evolution-story.js";

test("a client of an agent makes a server as examples/AUTHOR.md tells", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "mcpwright-author-")));
  try {
    const blocks = await liveAuthorStory(root);
    const scenes = ["reference", "manifest", "validate", "plan", "generate", "files"];
    assert.equal([...blocks.keys()], scenes);
    const page = await readFile(authorPage, "utf8");
    assert.is(withBlocks(page, blocks), page, "npm run examples tells examples/AUTHOR.md anew");
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test.run();
