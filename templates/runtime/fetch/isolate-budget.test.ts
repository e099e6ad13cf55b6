import { test } from "uvu";
import * as assert from "uvu/assert";
import { answerMemoryBytes } from "../engine/limits.js";
import type { AnswerConnection } from "../memory/accounts.js";
import type { Reservation } from "../memory/reservation.js";
import { reserve } from "../samples/answer-memory.js";
import { IsolateBudget } from "./isolate-budget.js";

const { ofAddress, ofAll } = answerMemoryBytes;

/** A connection whose client reads nothing, unless it is said so. */
class Reader implements AnswerConnection {
  isClosed = false;
  unreadBytes = 0;
  takenBytes = 0;
  constructor(readonly holder: string) {}
  unread = (): number => this.unreadBytes;
  taken = (): number => this.takenBytes;
  end = (): void => {
    this.isClosed = true;
    this.unreadBytes = 0;
  };
}

const granted = async (waiting: unknown): Promise<Reservation> => (await waiting) as Reservation;

test("memory is granted at once as long as there is some, and what is released is free", async () => {
  const budget = new IsolateBudget();
  const one = await granted(reserve(budget, 1_000_000, new Reader("a")));
  assert.is(budget.held, 1_000_000);
  one.resize(200_000);
  assert.is(budget.held, 200_000);
  one.release();
  assert.is(budget.held, 0);
});

test("waiting requests get memory in turn, and no address gets the share of others", async () => {
  const budget = new IsolateBudget();
  const first = await granted(reserve(budget, ofAddress, new Reader("a")));
  const order: string[] = [];
  const waits = ["a1", "a2", "b"].map(async (name) => {
    const reservation = await granted(reserve(budget, ofAddress / 4, new Reader(name.charAt(0))));
    order.push(name);
    return reservation;
  });
  await waits[2];
  assert.equal(order, ["b"], "there is memory for the other address");
  first.release();
  await Promise.all(waits);
  assert.equal(order, ["b", "a1", "a2"]);
});

test("a client that does not read makes room for one that waits", async () => {
  let now = 0;
  const budget = new IsolateBudget(() => now);
  const silent = new Reader("a");
  silent.unreadBytes = ofAll;
  budget.written(silent);
  const waiting = granted(reserve(budget, 1_000_000, new Reader("b")));
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.not(silent.isClosed, "it has a moment");
  now = 1_100;
  await waiting;
  assert.ok(silent.isClosed);
});

test("answers that arrive in parts do not wait for each other, nor for those that have nothing yet", async () => {
  const budget = new IsolateBudget();
  const most = ofAddress - 1_000_000;
  const [first, second] = [new Reader("a"), new Reader("a")].map((reader) =>
    budget.reservation(reader),
  ) as [Reservation, Reservation];
  await first.grow(1_000_000, most);
  const waits = Promise.resolve(second.grow(2_000_000, most));
  const fresh = granted(reserve(budget, ofAddress, new Reader("a")));
  assert.is(first.grow(most, most), undefined, "the first has all that it may need");
  first.arrived();
  first.resize(1_000_000);
  await waits;
  assert.is(budget.held, 3_000_000);
  await second.grow(most, most);
  first.release();
  second.release();
  (await fresh).release();
  assert.is(budget.held, 0);
});

test("where clients of an address left too much unread, the one that reads stays", () => {
  for (const isFirst of [true, false]) {
    let now = 0;
    const budget = new IsolateBudget(() => now);
    const [hearing, deaf] = [new Reader("a"), new Reader("a")];
    while (!deaf.isClosed && !hearing.isClosed) {
      for (const reader of isFirst ? [hearing, deaf] : [deaf, hearing]) {
        now += 1;
        reader.unreadBytes += 1_000_000;
        budget.written(reader);
      }
      hearing.takenBytes += 1_000_000;
      hearing.unreadBytes -= 900_000;
    }
    assert.equal([hearing.isClosed, deaf.isClosed], [false, true]);
  }
});

test("an answer waits no longer than its time, and a waiter that is gone keeps nobody back", async () => {
  let now = 0;
  const budget = new IsolateBudget(() => now);
  const busy = await granted(reserve(budget, ofAll, new Reader("a")));
  const late = granted(reserve(budget, 1_000_000, new Reader("b"))).then(
    () => "granted",
    (error: Error) => error.message,
  );
  await new Promise((resolve) => setTimeout(resolve, 60));
  now = 41_000;
  assert.match(await late, "no memory for a long answer");
  busy.release();
  assert.ok(!(reserve(budget, 1, new Reader("c")) instanceof Promise));
});

test("memory of a request that ended without releasing it is free after a while", async () => {
  let now = 0;
  const budget = new IsolateBudget(() => now);
  void reserve(budget, ofAll, new Reader("gone"));
  now = 16 * 60_000;
  await reserve(budget, 1_000_000, new Reader("b"));
  assert.is(budget.held, 1_000_000);
});

test.run();
