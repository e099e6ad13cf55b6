import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../testing/harness/projects/generated-project.js";
import { bin } from "../../testing/harness/projects/project-folder.js";

const folder = await mkdtemp(join(tmpdir(), "mcpwright-replay-"));
test.after(() => rm(folder, { recursive: true }));

await writeFile(
  join(folder, "mcp.yaml"),
  `name: weather
version: 1.0.0
env: { KEY: { required: true, secret: true } }
tools:
  - name: forecast
    description: The weather.
    inputSchema:
      type: object
      properties: { city: { type: string }, days: { type: integer, default: 1 } }
    outputSchema: { type: object, properties: { sky: { type: string, description: x } } }
    examples:
      - { name: recorded call, arguments: { city: Berlin, days: 1 }, result: { sky: grey }, matches: { /sky: { type: string } } }
      - { name: recorded error, arguments: { city: Atlantis }, error: There is no such city. }
      - { name: recorded call 2, arguments: { city: Rome }, result: { sky: blue } }
  - name: plain
    description: Has no example.
  - name: remove
    description: Asks first.
    confirm: Remove it?
    examples: [{ name: recorded call, text: removed }]
resources:
  - { name: fixed, uri: "a://fixed", text: as the manifest says }
  - { name: unknown, uri: "a://unknown" }
`,
);

for (const era of ["legacy", "modern"] as const) {
  test(`calls with the arguments of an example get its answer, all others an error (${era})`, async () => {
    const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
    const client = new Client(
      { name: "t", version: "1" },
      { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
    );
    const asked: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: {} };
    });
    const args = [bin, "record", "--replay"];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: "pipe" }),
    );
    const call = (name: string, given: object) =>
      client.callTool({ name, arguments: given as Record<string, unknown> });
    const text = async (name: string, given: object): Promise<string | undefined> => {
      const { isError, content } = await call(name, given);
      assert.is(isError, true);
      return (content as { text?: string }[])[0]?.text;
    };
    const berlin = await call("forecast", { city: "Berlin" });
    assert.equal(berlin.structuredContent, { sky: "grey" }, "with the default filled in");
    assert.equal((await call("forecast", { city: "Rome" })).structuredContent, { sky: "blue" });
    assert.is(await text("forecast", { city: "Atlantis" }), "There is no such city.");
    assert.match(
      (await text("forecast", { city: "Oslo" })) ?? "",
      "No example of forecast has these arguments.",
    );
    assert.match((await text("plain", {})) ?? "", "No example of plain has these arguments.");
    const removed = await call("remove", {});
    assert.equal(removed.content, [{ type: "text", text: "removed" }]);
    assert.equal(asked, ["Remove it?"]);
    const { contents } = await client.readResource({ uri: "a://fixed" });
    assert.is((contents[0] as { text?: string }).text, "as the manifest says");
    const unknown = await client
      .readResource({ uri: "a://unknown" })
      .catch((error: unknown) => error);
    assert.ok(unknown instanceof Error);
    await client.close();
  });
}

test("--replay is refused beside a server or a URL", async () => {
  assert.match((await mcpwright(folder, "record", "--replay", "--", "node")).err, "MW5003");
  assert.match((await mcpwright(folder, "record", "--replay", "--url", "http://x")).err, "MW5003");
});

test.run();
