import { test } from "uvu";
import * as assert from "uvu/assert";
import { setImmediate as turn } from "node:timers/promises";
import { isSuspend } from "./run.js";
import { accept, answerOf, AskingServer, confirmed, named, replying } from "../samples/asking.js";

test("a step runs once in all runs of a call", async () => {
  let taken = 0;
  const ids = new Set<string>();
  const server = new AskingServer(async (_input, ctx) => {
    ids.add(ctx.runId);
    const { at } = await ctx.once("create", () => {
      taken += 1;
      return { at: new Date(0), nothing: undefined };
    });
    await ctx.once("nothing", () => undefined);
    await ctx.elicit.name();
    await ctx.elicit.confirm({ env: "x" });
    return at;
  });
  assert.is(
    await answerOf(server, (key) => (key.startsWith("name") ? named() : confirmed())),
    new Date(0).toJSON(),
  );
  assert.is(taken, 1);
  assert.is(ids.size, 1);
});

test("a step that fails runs again, and a step that is running is waited for", async () => {
  let failures = 0;
  let slow = 0;
  const server = new AskingServer(async (_input, ctx) => {
    const failing = ctx.once("fail", () => {
      failures += 1;
      throw new Error("not yet");
    });
    await failing.catch(() => undefined);
    const step = async (): Promise<number> => {
      await turn();
      await turn();
      return (slow += 1);
    };
    const [first, second] = await Promise.all([
      ctx.once("slow", step),
      ctx.once("slow", step),
      ctx.elicit.name(),
    ]);
    return `${first} ${second}`;
  });
  assert.is(await answerOf(server, named), "1 1");
  assert.is(slow, 1);
  assert.is(failures, 2);
});

test("logs and progress are not repeated when the handler is run again", async () => {
  const server = new AskingServer(async (_input, ctx) => {
    ctx.log.info("one");
    await ctx.progress(1);
    await ctx.once("step", () => void ctx.log.info("in the step"));
    const { name } = await ctx.elicit.name();
    ctx.log.info("two");
    await ctx.progress(2);
    const { ok } = await ctx.elicit.confirm({ env: name });
    ctx.log.info("three");
    await ctx.progress(3);
    return String(ok);
  });
  let tries = 0;
  const answer = await answerOf(server, (key) => {
    if (key.startsWith("confirm")) return confirmed();
    return (tries += 1) === 1 ? accept({}) : named();
  });
  assert.is(answer, "true");
  assert.equal(server.told, ["one", 1, "in the step", "two", 2, "three", 3]);
  const written = server.engine.lines.map(
    (line) => (JSON.parse(line) as { message: string }).message,
  );
  assert.equal(written, ["one", "in the step", "two", "three"]);
});

test("log entries of a run that takes another path are not lost", async () => {
  let isDown = false;
  const server = new AskingServer(async (_input, ctx) => {
    if (isDown) {
      ctx.log.error("the database is down");
      return "sorry";
    }
    return (await ctx.elicit.name()).name;
  });
  const questions = await server.asked();
  isDown = true;
  assert.is(await server.answered(replying(questions, named)), "sorry");
  assert.equal(server.told, ["the database is down"]);
});

test("a handler that goes on after its run has ended asks nothing more", async () => {
  const late: unknown[] = [];
  const server = new AskingServer(async (_input, ctx) => {
    const background = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) await turn();
      late.push(await ctx.once("late", () => "taken").catch(isSuspend));
      late.push(await ctx.elicit.confirm({ env: "late" }).catch(isSuspend));
    };
    await Promise.all([ctx.elicit.name(), background()]);
    return "done";
  });
  const { keys } = await server.asked();
  assert.is(keys.length, 1);
  for (let i = 0; i < 10; i++) await turn();
  assert.equal(late, [true, true]);
});

test.run();
