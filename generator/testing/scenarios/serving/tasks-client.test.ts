import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createAsking } from "../../../../templates/runtime/asking/asking.js";
import { limitsOf } from "../../../../templates/runtime/engine/limits.js";
import { createLog } from "../../../../templates/runtime/observe/log.js";
import {
  askingParts,
  sampleAsks,
  type AskingHandler,
} from "../../../../templates/runtime/samples/asking.js";
import { LocalRedis } from "../../../../templates/runtime/samples/local-redis.js";
import { erased, sampleServer, tool } from "../../../../templates/runtime/samples/server.js";
import { TaskSample } from "../../../../templates/runtime/samples/tasks.js";
import { RedisConnection } from "../../../../templates/runtime/scale/redis-connection.js";
import { shareTasks } from "../../../../templates/runtime/scale/shared-tasks.js";
import { connectTo } from "../../../../templates/runtime/suite/clients/http.js";
import { installPackage } from "../../harness/runner/cached-package.js";

/** The client of the extension's authors against tasks of this runtime, which its servers share over Redis. */

const EXT_TASKS = "@modelcontextprotocol/ext-tasks";
const VERSION = "0.2.2";

/** What is used of that client. Its package is installed when the tests run, so that its types are not there before. */
interface TaskClientModule {
  createTaskSessionFromClient(client: Client, options: object): TaskSession;
}
interface TaskSession {
  callTool(name: string, values: object): Promise<Execution>;
  resumeTask(reference: object): Promise<Execution>;
  close(): Promise<void>;
}
interface Execution {
  readonly kind: "immediate" | "task";
  settle(): Promise<{ readonly outcome: Outcome }>;
  cancel(): Promise<void>;
  detach(): Promise<void>;
  serializeReference(): object;
}
interface Outcome {
  readonly status: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

const test = suite("the client of ext-tasks");
const whyNoRedis = await LocalRedis.whyWithout();
const redis = whyNoRedis === undefined ? await LocalRedis.start() : undefined;
test.after(() => redis?.stop());

/** A server whose tool asks a question, waits until it is cancelled, or ends at once. */
async function startServer(): Promise<{ sample: TaskSample; close(): Promise<void> }> {
  const log = createLog({ write: () => undefined });
  const connection = new RedisConnection(redis?.url ?? "", "ext:", log);
  const sharing = { definition: sampleServer, limits: limitsOf(sampleServer) };
  const taskStore = shareTasks(connection, sharing);
  const handler: AskingHandler = async ({ what }, ctx) => {
    if (what === "ask") return `Hello, ${(await ctx.elicit.name()).name}`;
    if (what !== "wait") return "done";
    return new Promise((_resolve, reject) => {
      ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason as Error));
    });
  };
  const task = { pollIntervalMs: 20 };
  const it = tool("it", erased(handler as never), { open: true, asks: sampleAsks, task });
  const sample = new TaskSample(
    [it],
    { ...askingParts, createHandlerRunner: createAsking },
    { taskStore, requestStateKeys: ["k".repeat(32)] },
  );
  await connection.open();
  const close = async (): Promise<void> => {
    await sample.close();
    await connection.close();
  };
  return { sample, close };
}

/** Connects the client to a server, over HTTP without a socket. @param onInputRequest Answers questions. */
async function sessionWith(
  { sample: { server } }: Awaited<ReturnType<typeof startServer>>,
  onInputRequest: (request: object) => Promise<object>,
): Promise<TaskSession> {
  const entry = join(
    await installPackage(EXT_TASKS, VERSION),
    ...["node_modules", EXT_TASKS, "dist/client/index.js"],
  );
  const { createTaskSessionFromClient } = (await import(
    pathToFileURL(entry).href
  )) as TaskClientModule;
  const client = await connectTo((request) => server.fetch(request), "modern");
  let id = 0;
  const rawDispatch = async (request: { method: string; params: Record<string, unknown> }) => {
    const { method, params } = request;
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": String(params["taskId"] ?? params["name"]),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: (id += 1), ...request });
    const answer = await server.fetch(
      new Request("http://localhost/mcp", { method: "POST", headers, body }),
    );
    const { result, error } = await messageOf(answer);
    return error === undefined ? { kind: "result", result } : { kind: "error", error };
  };
  return createTaskSessionFromClient(client, {
    endpointId: "sample",
    rawDispatch,
    v2RequestFraming: {
      protocolVersion: "2026-07-28",
      clientInfo: { name: "test", version: "1.0.0" },
      clientCapabilities: { elicitation: { form: {} } },
    },
    onInputRequest,
  });
}

/** The message of an answer, be it JSON or the last event of a stream. */
async function messageOf(answer: Response): Promise<{ result?: unknown; error?: unknown }> {
  const text = await answer.text();
  const event = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1];
  return JSON.parse(event ?? text) as { result?: unknown; error?: unknown };
}

const ada = async (): Promise<object> => ({ action: "accept", content: { name: "Ada" } });

function held(name: string, run: () => Promise<void>): void {
  if (redis !== undefined) return test(name, run);
  console.log(`skipped: ${name} (${whyNoRedis})`);
  test.skip(name);
}

held("creates a task, asks for its state until it is done, and answers its question", async () => {
  const server = await startServer();
  const session = await sessionWith(server, ada);
  for (const [what, expected] of [
    ["end", "done"],
    ["ask", "Hello, Ada"],
  ] as const) {
    const execution = await session.callTool("it", { what });
    assert.is(execution.kind, "task");
    const { outcome } = await execution.settle();
    assert.equal([outcome.status, outcome.result?.content[0]?.text], ["completed", expected]);
  }
  await session.close();
  await server.close();
});

held("cancels a task", async () => {
  const server = await startServer();
  const session = await sessionWith(server, ada);
  const execution = await session.callTool("it", { what: "wait" });
  const settled = execution.settle();
  await execution.cancel();
  assert.is((await settled).outcome.status, "cancelled");
  await session.close();
  await server.close();
});

held("finds a task again after the server and the client have started anew", async () => {
  const first = await startServer();
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const unanswered = await sessionWith(first, () => {
    asked();
    return new Promise(() => undefined);
  });
  const execution = await unanswered.callTool("it", { what: "ask" });
  const reference = execution.serializeReference();
  execution.settle().catch(() => undefined);
  await isAsked;
  await execution.detach();
  await unanswered.close();
  await first.close();
  const second = await startServer();
  const session = await sessionWith(second, ada);
  const { outcome } = await (await session.resumeTask(reference)).settle();
  assert.equal([outcome.status, outcome.result?.content[0]?.text], ["completed", "Hello, Ada"]);
  await session.close();
  await second.close();
});

test.run();
