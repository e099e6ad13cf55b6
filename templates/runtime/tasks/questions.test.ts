import { test } from "uvu";
import * as assert from "uvu/assert";
import { createConsent } from "../consent/consent.js";
import { createAsking } from "../asking/asking.js";
import type { RuntimeParts } from "../engine/definition.js";
import { refusal } from "../samples/engine.js";
import { askingParts, sampleAsks, type AskingHandler } from "../samples/asking.js";
import { erased, tool } from "../samples/server.js";
import { TaskSample, type ShownTask } from "../samples/tasks.js";
import type { TaskSettings } from "./definition.js";

const parts: RuntimeParts = {
  ...askingParts,
  createHandlerRunner: (definition, options) =>
    createConsent(createAsking(definition, options), options),
};

function asking(
  handler: AskingHandler,
  task: TaskSettings = {},
  more: Partial<Parameters<typeof tool>[2]> = {},
): TaskSample {
  const code = erased(handler as never);
  return new TaskSample([tool("it", code, { open: true, asks: sampleAsks, task, ...more })], parts);
}

const accept = (content: object): object => ({ action: "accept", content });
const keysOf = ({ inputRequests = {} }: ShownTask): string[] => Object.keys(inputRequests);

test("a question makes the task wait, and its answer lets the handler go on", async () => {
  let runs = 0;
  const sample = asking(async (_input, ctx) => {
    runs += 1;
    await ctx.progress(runs, undefined, "Thinking");
    const { name } = await ctx.elicit.name();
    return `Hello, ${name}`;
  });
  const client = sample.client();
  const id = await client.start("it");
  const waiting = await client.until(id, "input_required");
  const [key = ""] = keysOf(waiting);
  assert.is(waiting.inputRequests?.[key]?.params.message, "Who are you?");
  assert.is(waiting.statusMessage, undefined);
  assert.equal(Object.hasOwn(waiting, "requestState"), false);
  assert.equal(await client.update(id, { [key]: accept({ name: "Ada" }) }), {});
  const { result } = await client.until(id, "completed");
  assert.is(result?.content[0]?.text, "Hello, Ada");
  assert.is(runs, 2);
  assert.equal(await client.update(id, { [key]: accept({ name: "Eve" }) }), {});
  assert.is((await client.get(id)).result?.content[0]?.text, "Hello, Ada");
  await sample.close();
});

test("answers may come one by one, and others than those that are waited for are ignored", async () => {
  const sample = asking(async (_input, ctx) => {
    const [{ name }, { ok }] = await Promise.all([
      ctx.elicit.name(),
      ctx.elicit.confirm({ env: "prod" }),
    ]);
    return `${name} ${String(ok)}`;
  });
  const client = sample.client();
  const id = await client.start("it");
  const keys = keysOf(await client.until(id, "input_required"));
  const [first = "", second = ""] = keys;
  await client.update(id, { unknown: accept({}), [first]: accept({ name: "Ada" }) });
  assert.equal(keysOf(await client.get(id)), [second]);
  await client.update(id, { [first]: accept({ name: "Eve" }) });
  await client.update(id, {});
  await refusal(-32602, () => client.update(id, "yes"));
  assert.is((await client.get(id)).status, "input_required");
  await client.update(id, { [second]: accept({ ok: true }) });
  const { result } = await client.until(id, "completed");
  assert.is(result?.content[0]?.text, "Ada true");
  await sample.close();
});

test("a question that is asked again has another name", async () => {
  const sample = asking(async (_input, ctx) => (await ctx.elicit.name()).name);
  const client = sample.client();
  const id = await client.start("it");
  const [first = ""] = keysOf(await client.until(id, "input_required"));
  await client.update(id, { [first]: accept({ name: "A" }) });
  const [second = ""] = keysOf(await client.until(id, "input_required"));
  assert.is.not(second, first);
  await client.update(id, { [second]: accept({ name: "Ada" }) });
  const { result } = await client.until(id, "completed");
  assert.is(result?.content[0]?.text, "Ada");
  await sample.close();
});

test("a task that waits can be cancelled, and is then answered no more", async () => {
  let ended = 0;
  const sample = asking(async (_input, ctx) => {
    await ctx.elicit.name();
    return String((ended += 1));
  });
  const client = sample.client();
  const id = await client.start("it");
  const [key = ""] = keysOf(await client.until(id, "input_required"));
  await client.cancel(id);
  await client.update(id, { [key]: accept({ name: "Ada" }) });
  assert.is((await client.get(id)).status, "cancelled");
  assert.is(ended, 0);
  await sample.close();
});

test("a question that the client cannot be asked makes the task fail", async () => {
  const sample = asking(async (_input, ctx) => String((await ctx.roots()).length));
  const extensions = { "io.modelcontextprotocol/tasks": {} };
  const client = sample.client({ clientCapabilities: () => ({ elicitation: {}, extensions }) });
  const { error } = await client.until(await client.start("it"), "failed");
  assert.is(error?.code, -32021);
  await sample.close();
});

test("a task runs only with its user's yes, which counts once", async () => {
  let runs = 0;
  const sample = asking(() => String((runs += 1)), {}, { confirm: ["Delete it?"] });
  const client = sample.client();
  for (const [action, status] of [
    ["decline", "completed"],
    ["accept", "completed"],
  ] as const) {
    const id = await client.start("it");
    const waiting = await client.until(id, "input_required");
    const [key = ""] = keysOf(waiting);
    assert.is(waiting.inputRequests?.[key]?.params.message, "Delete it?");
    await client.update(id, { [key]: { action, content: {} } });
    const { result } = await client.until(id, status);
    assert.is(result?.["isError"], action === "decline" ? true : undefined);
    await client.update(id, { [key]: { action: "accept", content: {} } });
  }
  assert.is(runs, 1);
  await sample.close();
});

test("where users are asked before, the call with the answers becomes the task", async () => {
  const handler: AskingHandler = async (_input, ctx) => (await ctx.elicit.name()).name;
  const sample = asking(handler, { asks: "before" });
  const client = sample.client();
  const asked = await client.call("it");
  assert.equal([asked.resultType, "taskId" in asked], ["input_required", false]);
  const { inputRequests, requestState } = asked as {
    inputRequests?: object;
    requestState?: string;
  };
  const [key = ""] = Object.keys(inputRequests ?? {});
  const inputResponses = { [key]: accept({ name: "Ada" }) };
  const id = await client.start("it", {}, { inputResponses, requestState });
  const { result } = await client.until(id, "completed");
  assert.is(result?.content[0]?.text, "Ada");
  await sample.close();
});

test("where users are asked before, a call that asks nothing becomes a task after a second", async () => {
  let end: (text: string) => void = () => undefined;
  const sample = asking(() => new Promise((resolve) => (end = resolve)), { asks: "before" });
  const client = sample.client();
  const short = client.call("it");
  await new Promise(setImmediate);
  end("soon");
  assert.equal((await short)["content"], [{ type: "text", text: "soon" }]);
  const id = await client.start("it");
  end("late");
  const { result } = await client.until(id, "completed");
  assert.is(result?.content[0]?.text, "late");
  await sample.close();
});

test.run();
