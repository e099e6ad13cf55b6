import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { testProject } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { connectStdio } from "../../harness/clients/project-clients.js";
import {
  readOwnTools,
  readTools,
  REAL_TOOLS,
  sharedUrl,
} from "../../harness/runner/shared-data.js";
import { skipTest } from "../../harness/runner/skipped-test.js";

/** Usual tools, and those of a server that many people use, as it lists them, in one manifest. */
const folderOfTools = sharedUrl(REAL_TOOLS);
const realTools = folderOfTools === undefined ? [] : readTools(folderOfTools);
const tools = [...readOwnTools(), ...realTools];

if (folderOfTools === undefined) skipTest("117 real tools", `../shared/${REAL_TOOLS} is absent`);
else test("there are 117 real tools", () => assert.is(realTools.length, 117));

test(`${tools.length} common tools are generated, type-checked, tested and listed unchanged`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-real-tools-"));
  try {
    const manifest = { name: "real", version: "1.0.0", diagnostics: { toolBudget: 0 }, tools };
    await writeFile(join(folder, "mcp.yaml"), JSON.stringify(manifest, null, 2));
    const { status, out, err } = await mcpwright(folder, "generate");
    assert.is(status, 0, out + err);
    await installShared(folder);
    await testProject(folder);

    const client = await connectStdio(folder, "modern");
    const listed = await client.listTools();
    await client.close();
    assert.equal(listed.tools, tools);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.run();
