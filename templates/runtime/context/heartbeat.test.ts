import { test } from "uvu";
import * as assert from "uvu/assert";
import { caller, sampleEngine } from "../samples/engine.js";
import { freeMemory } from "../samples/answer-memory.js";
import { hurryTimers } from "../samples/hurried-timers.js";
import { AskingServer, named, replying } from "../samples/asking.js";
import { erased, tool } from "../samples/server.js";
import { heartbeatMs, RequestProgress, type AnyContext, type ProgressReport } from "./context.js";

type Handler = (
  context: Pick<AnyContext, "progress">,
  until: (count: number) => Promise<void>,
) => Promise<string>;

/** The reports of a call, whose handler can wait until so many have been sent. */
async function reportsOf(handler: Handler, isAsked = true): Promise<readonly ProgressReport[]> {
  const reports: ProgressReport[] = [];
  let sent = (): void => undefined;
  const until = async (count: number): Promise<void> => {
    while (reports.length < count) await new Promise<void>((resolve) => (sent = resolve));
  };
  const progress = new RequestProgress(async (report) => {
    reports.push(report);
    sent();
  });
  const slow = tool(
    "slow",
    erased((_input: unknown, context: Pick<AnyContext, "progress">) => handler(context, until)),
  );
  const engine = sampleEngine({ tools: [slow] });
  const restore = hurryTimers(heartbeatMs);
  try {
    const asking = isAsked ? { ...caller, progress } : caller;
    const result = await engine.tools.call({ name: "slow" }, asking);
    assert.equal(result.content, [{ type: "text", text: "done" }]);
  } finally {
    restore();
  }
  return reports;
}

test("a silent call reports that it still runs, and its progress grows", async () => {
  const reports = await reportsOf(async (_context, until) => {
    await until(3);
    return "done";
  });
  assert.ok(reports.length >= 3);
  for (const [index, { message, progress, total }] of reports.entries()) {
    assert.equal([message, total], ["Still running", undefined]);
    assert.ok(progress > (reports[index - 1]?.progress ?? 0), String(progress));
  }
});

test("the reports of a call itself go on growing between those", async () => {
  const reports = await reportsOf(async (context, until) => {
    for (const [index, done] of [1, 2, 400].entries()) {
      // Each report of its own has at least two others before it.
      await until(index * 3 + 2);
      await context.progress(done, 1000, "mine");
    }
    return "done";
  });
  const own = reports.filter(({ message }) => message === "mine");
  assert.equal(
    own.map(({ progress, total }) => [progress, total]),
    [1, 2, 400].map((done) => [done, 1000]),
  );
  const all = reports.map(({ progress }) => progress);
  assert.equal(
    all,
    [...new Set(all)].sort((a, b) => a - b),
  );
});

test("a silent call that asks reports that it still runs, in each of its runs, before and after the answer", async () => {
  let until = (): Promise<void> => Promise.resolve();
  const server = new AskingServer(async (_input, ctx) => {
    await until();
    const { name } = await ctx.elicit.name();
    await ctx.progress(5);
    await until();
    return name;
  });
  const reportsSince = (start: number) => server.told.slice(start) as number[];
  const restore = hurryTimers(heartbeatMs);
  try {
    until = async () => {
      const start = server.told.length;
      while (server.told.length < start + 2) await new Promise((resolve) => setTimeout(resolve, 2));
    };
    const questions = await server.asked();
    const asked = server.told.length;
    assert.ok(asked >= 2);
    assert.is(await server.answered(replying(questions, named)), "Ada");
    const later = reportsSince(asked);
    assert.ok(later.indexOf(5) >= 2, "the second run is silent before its question, too");
    assert.ok(later.length >= later.indexOf(5) + 3);
    assert.equal(
      later,
      [...new Set(later)].sort((a, b) => a - b),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(reportsSince(asked), later, "nothing is reported of a call that is over");
  } finally {
    restore();
  }
});

test("a call that waits for memory reports that, before and after its handler", async () => {
  const messages: (string | undefined)[] = [];
  const progress = new RequestProgress(async ({ message }) => void messages.push(message));
  const free = async (): Promise<void> => {
    const start = messages.length;
    while (messages.length < start + 2) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const memory = { ...freeMemory, expect: free, take: free };
  const engine = sampleEngine({
    tools: [
      tool(
        "it",
        erased(() => "done"),
      ),
    ],
  });
  const restore = hurryTimers(heartbeatMs);
  try {
    await engine.tools.call({ name: "it" }, { ...caller, progress, memory });
  } finally {
    restore();
  }
  assert.ok(messages.length >= 4);
  assert.equal([...new Set(messages)], ["Waiting for memory"]);
});

test("a call that is over, or whose caller did not ask, reports nothing", async () => {
  assert.equal(await reportsOf(async () => "done"), []);
  const unasked = await reportsOf(async () => {
    await new Promise((resolve) => setTimeout(resolve, heartbeatMs));
    return "done";
  }, false);
  assert.equal(unasked, []);
});

test.run();
