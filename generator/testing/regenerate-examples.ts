import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { retellStory } from "./evolution-story.js";
import { mcpwright } from "./generated-project.js";

/** Generates every project under `examples/` again, after a change of what mcpwright makes or says. */
const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));

const stage = await mkdtemp(join(tmpdir(), "mcpwright-evolution-"));
await retellStory(stage).finally(() => rm(stage, { recursive: true, force: true }));

for (const name of readdirSync(examples)) {
  const { status, out, err } = await mcpwright(`${examples}${name}`, "generate");
  console.log(`${name}: ${out}${err}`);
  if (status !== 0) process.exitCode = 1;
}
