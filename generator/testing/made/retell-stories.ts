import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { retellStory } from "./evolution-story.js";
import { retellAuthorStory } from "./author-story.js";
import { builtIssues, retellConsentStory } from "./consent-story.js";
import { retellImportStory } from "./import-story.js";
import { retellTeamStory } from "./team-story.js";
import { builtReplicas, retellTasksStory } from "./tasks-story.js";

/** Writes the stories of examples again, after a change of mcpwright's output. */
const stories = [retellStory, retellImportStory, retellTeamStory, retellAuthorStory];
for (const retell of stories) {
  const stage = await realpath(await mkdtemp(join(tmpdir(), "mcpwright-story-")));
  await retell(stage).finally(() => rm(stage, { recursive: true, force: true }));
}

const issues = await builtIssues();
await retellConsentStory(issues).finally(() => rm(issues, { recursive: true, force: true }));

const replicas = await builtReplicas();
await retellTasksStory(replicas).finally(() => rm(replicas, { recursive: true, force: true }));
