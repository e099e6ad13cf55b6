import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { retellStory } from "./evolution-story.js";

/** Tells the story of `examples/evolution/` again, after a change of what mcpwright says. */
const stage = await mkdtemp(join(tmpdir(), "mcpwright-evolution-"));
await retellStory(stage).finally(() => rm(stage, { recursive: true, force: true }));
