import type { Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { hurryTimers } from "../samples/hurried-timers.js";
import { until } from "../samples/until.js";
import { createLog } from "../observe/log.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { Supervisor } from "./supervisor.js";

/** A worker that does what a test says. */
class FakeWorker extends EventEmitter {
  readonly told: ToWorker[] = [];
  readonly process = Object.assign(new EventEmitter(), {
    stderr: new PassThrough(),
    connected: true,
    send: (message: ToWorker) => void this.told.push(message),
    kill: (signal: string) => this.process.emit("exit", null, signal),
  });

  says(message: FromWorker): void {
    this.emit("message", message);
  }
}

function supervised(count: number) {
  const workers: FakeWorker[] = [];
  const lines: Record<string, unknown>[] = [];
  const supervisor = new Supervisor({
    count,
    log: createLog({ write: (line) => void lines.push(JSON.parse(line) as never) }),
    fork: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      // A worker of Node.js cannot be made without a process.
      return worker as unknown as Worker;
    },
    write: () => undefined,
    received: () => undefined,
    left: () => undefined,
  });
  return { supervisor, workers, lines };
}

test("the other workers start when the first one serves", async () => {
  const { supervisor, workers } = supervised(3);
  const started = supervisor.start();
  assert.is(workers.length, 1);
  workers[0]?.says({ kind: "serving" });
  await until(() => workers.length === 3);
  for (const worker of workers.slice(1)) worker.says({ kind: "serving" });
  assert.is(await started, undefined);
});

test("a first worker that ends before it serves is not replaced", async () => {
  const { supervisor, workers } = supervised(3);
  const started = supervisor.start();
  workers[0]?.process.emit("exit", 2, null);
  assert.equal(await started, { status: 2 });
  assert.is(workers.length, 1);
});

test("the pause before a replacement doubles while workers end soon", async () => {
  const restore = hurryTimers(100, 200, 400, 800, 1_600, 30_000);
  try {
    const { supervisor, workers, lines } = supervised(1);
    const started = supervisor.start();
    workers[0]?.says({ kind: "serving" });
    await started;
    for (let turn = 1; turn <= 5; turn++) {
      workers.at(-1)?.process.emit("exit", 1, null);
      await until(() => workers.length === turn + 1);
    }
    assert.equal(
      lines.map(({ inMs }) => inMs),
      [100, 200, 400, 800, 1_600],
    );
  } finally {
    restore();
  }
});

test("a worker that is silent for long is ended and replaced, and one that is not goes on", async () => {
  const restore = hurryTimers(100, 1_000);
  try {
    const { supervisor, workers, lines } = supervised(2);
    const started = supervisor.start();
    workers[0]?.says({ kind: "serving" });
    await until(() => workers.length === 2);
    const alive = setInterval(() => workers[0]?.says({ kind: "alive" }), 1).unref();
    workers[1]?.says({ kind: "serving" });
    await started;
    await until(() => workers.length >= 3);
    clearInterval(alive);
    assert.equal(lines[0]?.["message"], "a worker does nothing any more, and is ended");
    assert.equal(lines[0]?.["worker"], 2);
  } finally {
    restore();
  }
});

test("a worker that began while all stop is told so, too", async () => {
  const { supervisor, workers } = supervised(1);
  void supervisor.start();
  const stop = { kind: "stop", reason: "SIGTERM", isBalanced: false } as const;
  const stopped = supervisor.stop(stop, 10_000);
  workers[0]?.says({ kind: "question", id: 1, about: "hello", asks: {} });
  assert.equal(workers[0]?.told, [stop, stop]);
  workers[0]?.process.emit("exit", 0, null);
  assert.is(await stopped, true);
  assert.is(workers.length, 1, "it is not replaced");
});

test("a worker that does not stop in time is ended, and the stop was not clean", async () => {
  const { supervisor, workers } = supervised(1);
  void supervisor.start();
  workers[0]?.says({ kind: "serving" });
  const stop = { kind: "stop", reason: "SIGTERM", isBalanced: false } as const;
  assert.is(await supervisor.stop(stop, 10), false);
});

test.run();
