import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { installShared, mcpwright, npm } from "./generated-project.js";
import { connectStdio } from "./project-clients.js";

/** The tools of a server that many people use, as it lists them, in one manifest. */
const definitions = new URL("../../../../shared/data/real-tools/github/", import.meta.url);

async function readDefinitions(): Promise<JsonObject[]> {
  const names = (await readdir(definitions)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(
      async (name) => JSON.parse(await readFile(new URL(name, definitions), "utf8")) as JsonObject,
    ),
  );
}

if (!existsSync(definitions)) {
  test.skip("117 real tools (skipped: ../shared is absent)", () => {});
} else {
  test("117 real tools: generated, type-checked, tested, listed as they were", async () => {
    const tools = await readDefinitions();
    assert.is(tools.length, 117);
    const folder = await mkdtemp(join(tmpdir(), "mcpwright-real-tools-"));
    try {
      const manifest = { name: "real", version: "1.0.0", diagnostics: { toolBudget: 0 }, tools };
      await writeFile(join(folder, "mcp.yaml"), JSON.stringify(manifest, null, 2));
      const { status, out, err } = await mcpwright(folder, "generate");
      assert.is(status, 0, out + err);
      await installShared(folder);
      await npm(folder, "test");

      const client = await connectStdio(folder, "modern");
      const listed = await client.listTools();
      await client.close();
      assert.equal(listed.tools, tools);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

test.run();
