import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { gone } from "../../harness/clients/dev-process.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { bin } from "../../harness/projects/project-folder.js";
import { ACCEPTS_ALL, installWithCompiler } from "../../harness/projects/stand-in-compiler.js";
import { SingleProcessTransport } from "../../harness/clients/single-process-transport.js";

/** `dev` as the command of a client that speaks stdio: the connection outlives the servers behind it. */
const folder = await mkdtemp(join(tmpdir(), "mcpwright-dev-stdio-"));
test.after(() => rm(folder, { recursive: true, force: true }));

async function save(...tools: string[]): Promise<void> {
  const items = tools.map((name) => `  - { name: ${name}, description: Does ${name}. }\n`);
  const text = `name: demo\nversion: 1.0.0\ntools:\n${items.join("")}`;
  await writeFile(join(folder, "mcp.yaml"), text);
}

await save("first");
await mcpwright(folder, "generate");
await installWithCompiler(folder, ACCEPTS_ALL);

async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

interface Connection {
  readonly client: Client;
  readonly transport: SingleProcessTransport;
  /** Resolves when `dev` has printed it. */
  reported(text: string): Promise<void>;
}

function connection(mode: "legacy" | { pin: string }, onChange?: () => void): Connection {
  const transport = new SingleProcessTransport({
    command: process.execPath,
    args: [bin, "dev"],
    cwd: folder,
    stderr: "pipe",
  });
  let text = "";
  let looks: (() => void)[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    for (const look of looks) look();
  });
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode },
      ...(onChange && { listChanged: { tools: { onChanged: onChange, autoRefresh: false } } }),
    },
  );
  const reported = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        const at = text.indexOf(wanted);
        if (at < 0) return;
        text = text.slice(at + wanted.length);
        looks = looks.filter((other) => other !== look);
        resolve();
      };
      looks.push(look);
      look();
    });
  return { client, transport, reported };
}

test("before 2026-07-28: after a restart the handshake is repeated, and the client is notified that the lists changed", async () => {
  await save("first");
  let changed = (): void => undefined;
  const news = new Promise<void>((resolve) => (changed = resolve));
  const { client, transport } = connection("legacy", () => changed());
  await client.connect(transport);
  assert.equal(await toolNames(client), ["first"]);
  await save("first", "second");
  await news;
  assert.equal(await toolNames(client), ["first", "second"]);
  const { content } = await client.callTool({ name: "second", arguments: {} });
  assert.match(JSON.stringify(content), "ot implemented");
  const processId = transport.pid ?? 0;
  await client.close();
  await gone(processId);
});

test("2026-07-28: after a restart each request reaches the current server", async () => {
  await save("first");
  const { client, transport, reported } = connection({ pin: "2026-07-28" });
  await client.connect(transport);
  assert.equal(await toolNames(client), ["first"]);
  await save("third");
  await reported("restarted the server");
  assert.equal(await toolNames(client), ["third"]);

  const handler = join(folder, "src/tools/third.ts");
  const text = await readFile(handler, "utf8");
  await writeFile(handler, "import process from 'node:process';\nprocess.exit(3);\n" + text);
  await reported("MW6004");
  const waiting = toolNames(client);
  await writeFile(handler, text);
  assert.equal(await waiting, ["third"], "what is asked meanwhile waits for the next server");
  const closed = once(transport.stderr ?? process, "close");
  await client.close();
  await closed;
});

test.run();
