import { test } from "uvu";
import * as assert from "uvu/assert";
import { CallPlaces } from "./call-places.js";

const MEGABYTE = 1_000_000;
const { signal } = new AbortController();
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asks for many places. @returns the number of those that were taken so far */
function ask(places: CallPlaces, count: number): () => number {
  let taken = 0;
  for (let asked = 0; asked < count; asked++) void places.take(signal).then(() => taken++);
  return () => taken;
}

test("a server whose answers come on their own gets 64 calls at once", async () => {
  const taken = ask(new CallPlaces(0), 100);
  await turn();
  assert.is(taken(), 64);
});

test("a program gets few calls until its answers turn out to be short, and then 64", async () => {
  const places = new CallPlaces(32 * MEGABYTE);
  const taken = ask(places, 100);
  await turn();
  assert.is(taken(), 16);
  const numbers: number[] = [];
  for (let answers = 1; answers <= 3; answers++) {
    places.leave(1_000);
    await turn();
    numbers.push(taken() - answers);
  }
  assert.equal(numbers, [33, 64, 64]);
});

test("a program with long answers gets no more calls than it can keep answers", async () => {
  const places = new CallPlaces(MEGABYTE);
  const taken = ask(places, 200);
  await turn();
  assert.is(taken(), 64);
  let left = 0;
  const leave = async (bytes: number, count: number): Promise<void> => {
    for (; count > 0; count--, left++) places.leave(bytes);
    await turn();
  };
  await leave(20 * MEGABYTE, 64);
  assert.is(taken() - left, 26);
  await leave(600 * MEGABYTE, 26);
  assert.is(taken() - left, 1, "there is always a place for one");
});

test("an ended wait for a place passes the place on", async () => {
  const places = new CallPlaces(600 * MEGABYTE);
  await places.take(signal);
  const ending = new AbortController();
  const ended = places.take(ending.signal).catch((error: Error) => error.message);
  const next = ask(places, 1);
  ending.abort(new Error("gone"));
  assert.is(await ended, "gone");
  places.leave(0);
  await turn();
  assert.is(next(), 1);
});

test.run();
