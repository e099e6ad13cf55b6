import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import {
  NODE_VERSIONS,
  nodeFolder,
  whyWithout,
  type NodeVersion,
} from "../../harness/runner/node-programs.js";
import { connectProgram } from "../../harness/clients/project-clients.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** From version 22.18 on, Node.js erases types by itself, so that it runs the sources of a project. */
const ERASING = NODE_VERSIONS.filter((version) => Number.parseInt(version, 10) >= 22);
/** In short, the oldest alone: later versions erase what it does. */
const tried = shortOrLong(ERASING.slice(0, 1), ERASING);

const EXAMPLES = {
  minimal: { name: "greet", arguments: { name: "Ada" } },
  weather: { name: "get_forecast", arguments: { city: "Berlin" } },
} as const;

const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** An example with all that generating puts into it, and what it depends on, but without a build. */
async function generated(name: string): Promise<string> {
  const source = fileURLToPath(new URL(`examples/${name}`, packageRoot));
  const folder = await copyUserFiles(source, `unbuilt-${name}`);
  folders.push(folder);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  return folder;
}

const projects: Partial<Record<keyof typeof EXAMPLES, Promise<string>>> = {};

async function serves(version: NodeVersion, example: keyof typeof EXAMPLES): Promise<void> {
  const folder = await (projects[example] ??= generated(example));
  const node = join(await nodeFolder(version), "node");
  const call = EXAMPLES[example];
  for (const era of ["modern", "legacy"] as const) {
    const client = await connectProgram(join(folder, "src/main.ts"), folder, era, {}, [], node);
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === call.name));
      const result = await client.callTool({ ...call });
      assert.not.ok(result.isError, JSON.stringify(result));
    } finally {
      await client.close();
    }
  }
}

for (const version of tried) {
  for (const example of shortOrLong(["minimal"] as const, ["minimal", "weather"] as const)) {
    testUnless(
      await whyWithout(version),
      `Node.js ${version} runs the sources of examples/${example} without a build`,
      () => serves(version, example),
    );
  }
}

test.run();
