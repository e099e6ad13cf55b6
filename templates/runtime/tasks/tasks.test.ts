import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Authentication } from "../authentication/authentication.js";
import { guardMethods } from "../authentication/item-scopes.js";
import { ProtocolError, RequestRefused, ToolError } from "../engine/errors.js";
import { protocolError, refusal } from "../samples/engine.js";
import { erased, tool } from "../samples/server.js";
import { TaskSample } from "../samples/tasks.js";
import { TASKS_EXTENSION } from "./definition.js";
import { MemoryTaskStore } from "./memory-store.js";

/** A handler that ends when a test says so. */
class Work {
  end: (value: string) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  signal: AbortSignal | undefined;
  runs = 0;

  readonly handler = erased(async (_input: object, context) => {
    this.runs += 1;
    this.signal = context.signal;
    await context.progress(1, 3, "Reading");
    return new Promise<string>((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
  });

  tool(name: string, parts: Parameters<typeof tool>[2] = { task: {} }) {
    return tool(name, this.handler, { open: true, ...parts });
  }
}

const unaware = { clientCapabilities: () => ({ elicitation: {} }) };
const principal = (name: string, scopes: readonly string[] = []): Authentication => ({
  principal: name,
  scopes,
});

test("a call becomes a task, which tells of its progress and keeps its result", async () => {
  const work = new Work();
  const sample = new TaskSample([work.tool("slow")]);
  const client = sample.client();
  const created = await client.call("slow");
  assert.equal(Object.keys(created), [
    ...["resultType", "taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs"],
  ]);
  const id = created["taskId"] as string;
  assert.match(id, /^[\w-]{32}$/);
  assert.is((await client.get(id)).statusMessage, "Reading (1 of 3)");
  work.end("done");
  const { status, result, statusMessage } = await client.until(id, "completed");
  const content = [{ type: "text", text: "done" }];
  assert.equal(result, { content, resultType: "complete" });
  assert.equal([status, statusMessage], ["completed", undefined]);
  await sample.close();
});

test("a task of a tool that asks nothing does not keep its call, whatever accounts the server links", async () => {
  const work = new Work();
  const store = new MemoryTaskStore({ most: 10, now: Date.now });
  const auth = { kind: "perCaller" } as const;
  const upstreams = [{ name: "mail", baseUrl: "https://mail.example", auth }];
  const sample = new TaskSample([work.tool("slow")], { upstreams } as object, { taskStore: store });
  const client = sample.client();
  const id = await client.start("slow", { text: "long" });
  assert.is(store.read(id)?.call, undefined);
  work.end("done");
  await client.until(id, "completed");
  assert.is(store.read(id)?.call, undefined);
  await sample.close();
});

test("only errors of the protocol make a task fail, with their code and words", async () => {
  const work = new Work();
  const sample = new TaskSample([work.tool("slow")]);
  const client = sample.client();
  const first = await client.start("slow");
  work.fail(new ToolError("No such report"));
  const { result } = await client.until(first, "completed");
  const content = [{ type: "text", text: "No such report" }];
  assert.equal(result, { content, isError: true, resultType: "complete" });
  const second = await client.start("slow");
  work.fail(new RequestRefused(new ProtocolError(-32000, "The job is gone", { job: 7 })));
  const failed = await client.until(second, "failed");
  assert.equal(failed.error, { code: -32000, message: "The job is gone", data: { job: 7 } });
  assert.is(failed.statusMessage, "The job is gone");
  await sample.close();
});

test("a client that does not know tasks gets the plain call, or is refused where a task is required", async () => {
  const work = new Work();
  const sample = new TaskSample([
    work.tool("slow"),
    work.tool("must", { task: { required: true } }),
  ]);
  const client = sample.client(unaware);
  const call = client.call("slow");
  await new Promise(setImmediate);
  work.end("plain");
  assert.equal((await call)["content"], [{ type: "text", text: "plain" }]);
  const { code, data, message } = await protocolError(() => client.call("must"));
  assert.is(code, -32021);
  assert.equal(data, { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
  assert.match(message, "must runs only as a task");
  const old = await sample.client({ ...unaware, era: "legacy" }).call("must");
  assert.is(old["isError"], true);
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    const ask = (parts: object) => () => client.send(method, { taskId: "x" }, parts);
    await refusal(-32021, ask({}));
    await refusal(-32601, ask({ era: "legacy" }));
  }
  assert.is(work.runs, 1);
  await sample.close();
});

test("a call that is refused before its handler runs makes no task", async () => {
  const work = new Work();
  const needy = { open: false, required: ["n"], properties: { n: { type: "integer" } } };
  const sample = new TaskSample(
    [
      work.tool("slow", { task: {}, ...needy }),
      work.tool("guarded", { task: {}, scopes: ["run"] }),
    ],
    { guardMethods },
  );
  const client = sample.client({ authentication: principal("ann") });
  const invalid = await client.call("slow", { n: "one" });
  assert.is(invalid["isError"], true);
  await refusal(-32602, () => client.call("unknown"));
  await refusal(403, () => client.call("guarded"));
  assert.is(work.runs, 0);
  await sample.close();
});

test("a task belongs to its principal, and needs the scopes of its tool", async () => {
  const work = new Work();
  const sample = new TaskSample([work.tool("slow", { task: {}, scopes: ["run"] })], {
    guardMethods,
  });
  const ann = sample.client({ authentication: principal("ann", ["run"]) });
  const id = await ann.start("slow");
  const others = [
    sample.client({ authentication: principal("bob", ["run"]) }),
    sample.client(),
  ] as const;
  for (const other of others) {
    const words = [
      await refusal(-32602, () => other.get(id)),
      await refusal(-32602, () => other.update(id, {})),
      await refusal(-32602, () => other.cancel(id)),
    ];
    assert.equal(words, Array(3).fill("Task not found"));
  }
  assert.is(await refusal(-32602, () => ann.get("x".repeat(5_000_000))), "Task not found");
  assert.match(await refusal(-32602, () => ann.send("tasks/get", {})), "taskId");
  const weak = sample.client({ authentication: principal("ann") });
  await refusal(403, () => weak.get(id));
  await refusal(403, () => weak.cancel(id));
  assert.is((await ann.get(id)).status, "working");
  await sample.close();
});

test("a cancelled task stays cancelled: its handler is told, and what it returns is dropped", async () => {
  const work = new Work();
  const sample = new TaskSample([work.tool("slow")]);
  const client = sample.client();
  const id = await client.start("slow");
  assert.equal(await client.cancel(id), {});
  assert.is(work.signal?.aborted, true);
  assert.is((await client.get(id)).status, "cancelled");
  work.end("late");
  assert.equal([await client.cancel(id), await client.update(id, { a: 1 })], [{}, {}]);
  const { status, result } = await client.get(id);
  assert.equal([status, result], ["cancelled", undefined]);
  const done = await client.start("slow");
  work.end("done");
  await client.until(done, "completed");
  assert.equal(await client.cancel(done), {});
  assert.is((await client.get(done)).status, "completed");
  await sample.close();
});

test("the request that made a task does not end it, and one that has ended makes none", async () => {
  const work = new Work();
  const sample = new TaskSample([work.tool("slow")]);
  const request = new AbortController();
  const client = sample.client({ signal: request.signal });
  const id = await client.start("slow");
  request.abort();
  assert.is(work.signal?.aborted, false);
  work.end("done");
  await client.until(id, "completed");
  assert.is((await client.call("slow"))["isError"], true);
  await sample.close();
});

test("a flood of tasks is refused in words, for its caller alone", async () => {
  const work = new Work();
  const limits = { tasks: 3, concurrency: 100 };
  const sample = new TaskSample([work.tool("slow")], { limits });
  const [ann, bob] = ["ann", "bob"].map((name) =>
    sample.client({ authentication: principal(name) }),
  ) as [ReturnType<TaskSample["client"]>, ReturnType<TaskSample["client"]>];
  const ids = [];
  for (let count = 0; count < 3; count++) ids.push(await ann.start("slow"));
  const { content, isError } = (await ann.call("slow")) as { content?: unknown; isError?: boolean };
  assert.is(isError, true);
  assert.match(JSON.stringify(content), /Too many tasks are not finished.*limits\.tasks: 3/);
  await bob.start("slow");
  await ann.cancel(ids[0] ?? "");
  await ann.start("slow");
  await sample.close();
});

test("handlers of tasks take at most half of those that may run", async () => {
  const work = new Work();
  const sample = new TaskSample([work.tool("slow")], { limits: { concurrency: 4 } });
  const client = sample.client();
  await client.start("slow");
  await client.start("slow");
  const { content } = (await client.call("slow")) as { content?: unknown };
  assert.match(JSON.stringify(content), /busy with tasks/);
  const plain = sample.client(unaware).call("slow");
  await new Promise(setImmediate);
  work.end("plain");
  assert.equal((await plain)["content"], [{ type: "text", text: "plain" }]);
  await sample.close();
});

test("a stop waits for tasks, and ends those that take longer in words", async () => {
  const work = new Work();
  const sample = new TaskSample([work.tool("slow")]);
  const client = sample.client();
  const [first, second] = [await client.start("slow"), await client.start("slow")];
  await sample.server.drain(20);
  const { result } = await client.until(second, "completed");
  assert.is(result?.content[0]?.text, "The server is stopping");
  await client.until(first, "completed");
  await sample.close();
});

test("a handler may run as long as its task is kept, unless the tool has a limit of its own", async () => {
  const work = new Work();
  const limits = { timeoutMs: 1 };
  const sample = new TaskSample(
    [work.tool("slow"), work.tool("limited", { task: {}, timeoutMs: 5 })],
    { limits },
  );
  const client = sample.client();
  const limited = await client.start("limited");
  const { result } = await client.until(limited, "completed");
  assert.match(result?.content[0]?.text ?? "", "took longer than 0.005 s");
  const id = await client.start("slow");
  await new Promise((resolve) => setTimeout(resolve, 15));
  assert.is((await client.get(id)).status, "working");
  await sample.close();
});

test("a handler never runs longer than its task is kept", async () => {
  const work = new Work();
  const sample = new TaskSample([work.tool("slow", { task: { ttlMs: 10 }, timeoutMs: 600_000 })]);
  const client = sample.client();
  const id = await client.start("slow");
  const { result } = await client.until(id, "completed");
  assert.match(result?.content[0]?.text ?? "", "took longer than 0.01 s");
  await sample.close();
});

test.run();
