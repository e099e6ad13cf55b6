import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { benchManifest } from "../../lab/bench/bench-server/projects.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

const TOOLS = 1_000;

test(`a server with ${TOOLS} tools builds`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-large-"));
  try {
    await writeFile(join(folder, "mcp.yaml"), benchManifest(TOOLS));
    const { status, err } = await mcpwright(folder, "generate", "--quiet");
    assert.is(status, 0, err);
    // A thousand small files that import one handler each would only take time.
    await rm(join(folder, "test"), { recursive: true });
    await installShared(folder);
    await buildProject(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.run();
