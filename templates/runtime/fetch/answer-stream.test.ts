import { test } from "uvu";
import * as assert from "uvu/assert";
import { answerMemoryBytes } from "../engine/limits.js";
import { AnswerStream } from "./answer-stream.js";
import { answerMemory } from "./memory.js";

function streamOf(holder = "192.0.2.1"): { stream: AnswerStream; closed: () => number } {
  let count = 0;
  const stream = new AnswerStream(holder, {
    closed: () => void count++,
    refused: () => undefined,
  });
  return { stream, closed: () => count };
}

test("bytes wait until they are read, and count as unread until then", async () => {
  const { stream, closed } = streamOf();
  stream.write(new Uint8Array(100_000));
  answerMemory.budget.written(stream);
  assert.is(stream.unread(), 100_000);
  assert.is(answerMemory.budget.held, 100_000);
  stream.finish();
  const reader = stream.body.getReader();
  assert.is((await reader.read()).value?.length, 100_000);
  assert.is(stream.taken(), 100_000);
  assert.ok((await reader.read()).done);
  assert.is(answerMemory.budget.held, 0);
  assert.is(closed(), 1);
});

test("a client that goes away gives its memory back", async () => {
  const { stream, closed } = streamOf();
  stream.write(new Uint8Array(100_000));
  answerMemory.budget.written(stream);
  await stream.body.cancel();
  assert.is(answerMemory.budget.held, 0);
  assert.ok(stream.isClosed);
  assert.is(closed(), 1);
  stream.write(new Uint8Array(1));
  assert.is(stream.unread(), 0);
});

test("a stream is broken off when its client leaves more unread than one address may", async () => {
  const { stream } = streamOf();
  stream.write(new Uint8Array(answerMemoryBytes.ofAddress + 1));
  stream.endIfTooLong();
  assert.ok(stream.isClosed);
  const problem = await stream.body
    .getReader()
    .read()
    .then(() => undefined, String);
  assert.match(problem ?? "", "broken off");
});

test("of many answers that nobody reads, some are broken off for others", () => {
  const streams = Array.from({ length: 8 }, (_none, index) => streamOf(`192.0.2.${index}`).stream);
  for (const stream of streams) {
    stream.write(new Uint8Array(answerMemoryBytes.ofAddress - 1));
    answerMemory.budget.written(stream);
  }
  const open = streams.filter(({ isClosed }) => !isClosed);
  assert.ok(open.length > 0 && open.length < streams.length, `${open.length} are open`);
  for (const stream of streams) stream.end();
  assert.is(answerMemory.budget.held, 0);
});

test.run();
