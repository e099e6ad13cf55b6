import { test } from "uvu";
import * as assert from "uvu/assert";
import { failedCall } from "../tools/result.js";
import { MemoryTaskStore, taskBytes } from "./memory-store.js";
import { afterlifeMs, changed, detailedTask, type TaskRecord } from "./record.js";

/** A store with a clock that stands still. */
class StoppedStore {
  now = 1_000_000;
  readonly exceeded: string[] = [];
  readonly store: MemoryTaskStore;
  #count = 0;

  constructor(most = 100) {
    this.store = new MemoryTaskStore({
      most,
      now: () => this.now,
    });
    this.store.exceed = (holder) => {
      this.exceeded.push(holder);
      return "limits.tasks";
    };
  }

  add(holder: string, parts: Partial<TaskRecord> = {}): string {
    const id = `${holder}${(this.#count += 1)}`;
    const { now } = this;
    const times = { createdAt: now, updatedAt: now, ttlMs: 60_000, pollIntervalMs: 1_000 };
    this.store.create({
      ...{ id, holder, owner: holder, tool: "slow", status: "working", rounds: 0 },
      ...times,
      ...parts,
    });
    return id;
  }

  end(id: string, text = "done"): void {
    const result = { content: [{ type: "text", text }] };
    this.store.change(id, (record) => changed(record, { status: "completed", result }, this.now));
  }
}

test("a task is kept for its time, and a while longer so that its end can be seen", () => {
  const stopped = new StoppedStore();
  const [done, open] = [stopped.add("ann"), stopped.add("ann", { status: "input_required" })];
  stopped.end(done);
  stopped.now += 59_999;
  assert.is(stopped.store.read(open)?.status, "input_required");
  stopped.now += 1;
  const failed = stopped.store.read(open);
  assert.is(failed?.status, "failed");
  assert.match(JSON.stringify(failed && detailedTask(failed)), "Nobody answered");
  assert.is(stopped.store.read(done)?.status, "completed");
  assert.is(stopped.store.unfinished, 0);
  stopped.now += afterlifeMs;
  assert.equal([stopped.store.read(done), stopped.store.read(open)], [undefined, undefined]);
});

test("finished tasks leave room for new ones once they expire", () => {
  const stopped = new StoppedStore(1);
  for (let count = 0; count < 10; count++) stopped.end(stopped.add("ann"));
  assert.throws(() => stopped.add("ann"), /Finished tasks take all room/);
  assert.equal(stopped.exceeded, ["ann"]);
  stopped.add("bob");
  stopped.now += 60_000 + afterlifeMs;
  stopped.add("ann");
});

test("a result without room is replaced by words, and the results of others stay", () => {
  const stopped = new StoppedStore();
  const long = "x".repeat(taskBytes.ofHolder / 2);
  const [first, second, third] = [stopped.add("ann"), stopped.add("ann"), stopped.add("bob")];
  stopped.end(first, long);
  stopped.end(second, long);
  stopped.end(third, long);
  const lost = stopped.store.read(second)?.result;
  const words = (lost?.["content"] as ReturnType<typeof failedCall>["content"])[0];
  assert.match(JSON.stringify(words), "needs no repetition, but its result is lost");
  for (const id of [first, third]) {
    assert.is(JSON.stringify(stopped.store.read(id)).includes(long), true);
  }
});

test("a task whose call takes too much room is refused", () => {
  const stopped = new StoppedStore();
  const call = { name: "slow", arguments: { text: "x".repeat(taskBytes.ofHolder) } };
  assert.throws(() => stopped.add("ann", { call }), /take all room/);
});

test.run();
