import {
  InMemoryTransport,
  type JSONRPCMessage,
  type JSONRPCNotification,
} from "@modelcontextprotocol/server";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Authentication } from "../authentication/authentication.js";
import { serveConnection } from "../connections/connection.js";
import { listen, listenMessage, statesIn, TaskStream } from "../samples/followed-tasks.js";
import { erased, tool } from "../samples/server.js";
import { TaskSample } from "../samples/tasks.js";
import { until } from "../samples/until.js";
import { TASKS_EXTENSION } from "./definition.js";

const test = suite("clients that follow tasks");
const ann: Authentication = { principal: "ann", scopes: [] };

/** A server with a tool that ends when a test says so. */
class Followed {
  end: (text: string) => void = () => undefined;
  report: (message: string) => Promise<void> = async () => undefined;
  readonly sample: TaskSample;

  constructor() {
    const handler = erased(async (_input: object, context) => {
      this.report = (message) => context.progress(1, undefined, message);
      return new Promise<string>((resolve) => (this.end = resolve));
    });
    this.sample = new TaskSample([tool("slow", handler, { open: true, task: {} })]);
  }
}

test("over HTTP, a client is told how its tasks are, until they are over", async () => {
  const followed = new Followed();
  const client = followed.sample.client();
  const id = await client.start("slow");
  const stream = new TaskStream(await listen(followed.sample, listenMessage([id, "unknown"])));
  await until(() => stream.told.length === 2);
  await followed.report("Reading");
  await followed.report("Reading");
  followed.end("done");
  await until(() => stream.told.length === 4);
  assert.equal(statesIn(stream.told), [[id], "working", "Reading (1)", "completed"]);
  const { params } = stream.told[3] as JSONRPCNotification;
  const { _meta, ...task } = params ?? {};
  assert.equal(_meta, { "io.modelcontextprotocol/subscriptionId": 7 });
  assert.equal(task, await client.get(id));
  assert.not(stream.hasEnded);
  await followed.sample.close();
  await until(() => stream.hasEnded);
  assert.match(JSON.stringify(stream.told[4]), '"resultType":"complete"');
});

test("over HTTP, nobody follows the tasks of others, or tasks without the extension", async () => {
  const followed = new Followed();
  const id = await followed.sample.client({ authentication: ann }).start("slow");
  const stream = new TaskStream(await listen(followed.sample, listenMessage([id])));
  await until(() => stream.hasEnded);
  assert.equal(statesIn(stream.told), [undefined, undefined]);
  const own = new TaskStream(await listen(followed.sample, listenMessage([id]), ann));
  await until(() => own.told.length === 2);
  await own.cancel();
  const refused = await listen(followed.sample, listenMessage([id], {}), ann);
  assert.is(refused.status, 400);
  const { error } = (await refused.json()) as { error: { code: number; data: unknown } };
  assert.is(error.code, -32021);
  assert.equal(error.data, { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
  followed.end("done");
  await followed.sample.close();
});

test("on a connection, a client is told of its tasks until it has heard enough", async () => {
  const followed = new Followed();
  const [own, theirs] = InMemoryTransport.createLinkedPair();
  const told: JSONRPCMessage[] = [];
  own.onmessage = (message) => void told.push(message);
  const connection = serveConnection(followed.sample.server, theirs, "custom");
  await own.start();
  const id = await followed.sample.client().start("slow");
  await own.send(listenMessage([id]));
  await until(() => told.length === 2);
  await followed.report("Reading");
  await until(() => told.length === 3);
  assert.equal(statesIn(told), [[id], "working", "Reading (1)"]);
  const params = { requestId: 7 };
  await own.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  await followed.report("Writing");
  await own.send({ ...listenMessage([id], {}), id: 8 });
  await until(() => told.length === 4);
  assert.match(JSON.stringify(told[3]), '"code":-32021');
  followed.end("done");
  await connection.close();
  await followed.sample.close();
});

test.run();
