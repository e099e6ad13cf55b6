import { test } from "uvu";
import * as assert from "uvu/assert";
import { caller, sampleEngine } from "../samples/engine.js";
import { hurryTimers } from "../samples/hurried-timers.js";
import { erased, tool } from "../samples/server.js";
import { heartbeatMs, type AnyContext, type Caller, type ProgressReport } from "./context.js";

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
  const sendProgress: Caller["sendProgress"] = async (report) => {
    reports.push(report);
    sent();
  };
  const slow = tool(
    "slow",
    erased((_input: unknown, context: Pick<AnyContext, "progress">) => handler(context, until)),
  );
  const engine = sampleEngine({ tools: [slow] });
  const restore = hurryTimers(heartbeatMs);
  try {
    const asking = isAsked ? { ...caller, sendProgress } : caller;
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

test("a call that is over, or whose caller did not ask, reports nothing", async () => {
  assert.equal(await reportsOf(async () => "done"), []);
  const unasked = await reportsOf(async () => {
    await new Promise((resolve) => setTimeout(resolve, heartbeatMs));
    return "done";
  }, false);
  assert.equal(unasked, []);
});

test.run();
