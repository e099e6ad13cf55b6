import { readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport, type Client } from "@modelcontextprotocol/client";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { LocalRedis } from "../../../../templates/runtime/samples/local-redis.js";
import { until } from "../../../../templates/runtime/samples/until.js";
import { connectClient } from "../../harness/clients/every-method.js";
import { buildProject, testProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";
import { withBlocks } from "../../made/evolution-story.js";
import { liveTasksStory, tasksPage } from "../../made/tasks-story.js";
import { Balancer } from "./replicated-server/balancer.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** examples/replicas: two processes with a real Redis, behind a balancer that obeys readiness. */

const test = suite("examples/replicas");

const NOTES = "board://notes";
const absence = await LocalRedis.whyWithout();
let folder: string;

test.before(async () => {
  const example = fileURLToPath(new URL("examples/replicas", packageRoot));
  folder = await copyUserFiles(example, "replicas");
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await buildProject(folder);
});
test.after(() => rm(folder, { recursive: true, force: true }));

async function connect(url: string): Promise<Client> {
  return connectClient(new StreamableHTTPClientTransport(new URL(url)), "modern");
}

async function notesOn(client: Client): Promise<unknown> {
  const [notes] = (await client.readResource({ uri: NOTES })).contents;
  return JSON.parse(notes !== undefined && "text" in notes ? notes.text : "");
}

// In short, the generated tests of other examples run (end-to-end.test.ts).
if (shortOrLong(false, true)) {
  test("the tests of the example pass without Redis", async () => {
    assert.match(await testProject(folder), /board\.test\.js[^]*?\(3 \/ 3\)/);
  });
}

async function serveAsOne(redis: LocalRedis): Promise<void> {
  const env = { REDIS_URL: redis.url, REQUEST_STATE_KEY: "k".repeat(64) };
  const processes: StartedServer[] = await Promise.all([
    startHttp(folder, env),
    startHttp(folder, env),
  ]);
  const urls = processes.map(({ url }) => url);
  const balancer = await Balancer.before(urls, { obeysReadiness: true });
  const clients = await Promise.all([connect(balancer.url), connect(balancer.url)]);
  const [writer, reader] = clients;
  try {
    let notifications = 0;
    reader.setNotificationHandler("notifications/resources/updated", () => void notifications++);
    await reader.listen({ resourceSubscriptions: [NOTES] });
    for (const text of ["one", "two", "three", "four"]) {
      const before = notifications;
      await writer.callTool({ name: "post_note", arguments: { text } });
      await until(() => notifications > before);
    }
    for (let turn = 0; turn < 2; turn++) {
      assert.equal(await notesOn(reader), ["four", "three", "two", "one"]);
    }
    await writer.callTool({ name: "close_board", arguments: { isClosed: true } });
    for (const url of urls) {
      const direct = await connect(url);
      await until(async () => (await direct.listTools()).tools.length === 2);
      await direct.close();
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    balancer.close();
    await Promise.all(processes.map((one) => one.kill()));
  }
}

function testWithRedis(name: string, run: () => Promise<void>): void {
  if (absence === undefined) {
    test(name, run);
  } else {
    console.log(`skipped: ${name} (${absence})`);
    test.skip(name);
  }
}

/** In short, the story below has two processes with one Redis, and `replicated-server.test.ts` all that they share. */
if (shortOrLong(false, true)) {
  testWithRedis("two processes with one Redis serve the same board", async () => {
    const redis = await LocalRedis.start();
    await serveAsOne(redis).finally(() => redis.stop());
  });
}

testWithRedis(
  "a task that asks, works and is cancelled over two processes is that of examples/TASKS.md",
  async () => {
    const blocks = await liveTasksStory(folder);
    assert.equal([...blocks.keys()], ["call", "question", "answer", "work", "cancel", "board"]);
    const page = await readFile(tasksPage, "utf8");
    assert.is(withBlocks(page, blocks), page, "npm run examples tells examples/TASKS.md anew");
  },
);

test.run();
