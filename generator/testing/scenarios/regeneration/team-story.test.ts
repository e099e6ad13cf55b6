import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { TestFolders } from "../../harness/projects/project-folder.js";
import { withBlocks } from "../../made/evolution-story.js";
import { liveTeamStory, teamStory } from "../../made/team-story.js";

const folders = new TestFolders();
test.after(folders.remove);

test("the documented story of two people with a file each shows what the commands do", async () => {
  const blocks = await liveTeamStory(await folders.make("team"));
  const told = await readFile(teamStory, "utf8");
  assert.is(withBlocks(told, blocks), told, "npm run examples tells it anew");
  for (const name of blocks.keys()) assert.ok(told.includes(`<!-- ${name} -->`), name);
  assert.not.match(blocks.get("merge") ?? "", "CONFLICT");
});

test.run();
