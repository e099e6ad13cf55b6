import { test } from "uvu";
import * as assert from "uvu/assert";
import { withTickingClock } from "../samples/stopped-clock.js";
import { limitedResponse } from "./limited-response.js";

const MAX_BYTES = 10;

/** Whether a response that arrives in these chunks is read to its end. */
async function isAccepted(type: string, chunks: readonly string[]): Promise<boolean> {
  const body = ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk)));
  const response = new Response(body, { headers: { "content-type": type } });
  let isTooLong = false;
  const reader = limitedResponse(response, MAX_BYTES, {
    onTooLong: () => (isTooLong = true),
    onEnd: () => undefined,
  });
  const text = await reader.text().catch(() => undefined);
  assert.is(text === undefined, isTooLong);
  if (!isTooLong) assert.is(text, chunks.join(""));
  return !isTooLong;
}

test("a body may have as many bytes as allowed, in any chunks", async () => {
  assert.ok(await isAccepted("application/json", ["12345", "67890"]));
  assert.not(await isAccepted("application/json", ["12345", "67890", "1"]));
  assert.not(await isAccepted("application/json", ["1234\n\n", "12345"]));
});

for (const lineEnd of ["\n", "\r", "\r\n"]) {
  test(`events of a stream are counted one by one: ${JSON.stringify(lineEnd)}`, async () => {
    const blankLine = lineEnd.repeat(2);
    const longest = "x".repeat(MAX_BYTES - blankLine.length - 1);
    const stream = `${`${longest}${blankLine}`.repeat(5)}${longest}`;
    for (let length = 1; length <= stream.length; length++) {
      const chunks = stream.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
      assert.ok(await isAccepted("text/event-stream", chunks), `chunks of ${length}`);
    }
    const tooLong = `${stream}${"x".repeat(blankLine.length + 2)}`;
    for (let length = 1; length <= tooLong.length; length++) {
      const chunks = tooLong.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
      assert.not(await isAccepted("text/event-stream", chunks), `chunks of ${length}`);
    }
  });
}

test("an event that is too long is refused, also if it ends within a chunk", async () => {
  assert.not(await isAccepted("text/event-stream", ["12345678901\n\n1"]));
  assert.not(await isAccepted("text/event-stream", ["1\n\n", "12345678901\n\n1"]));
});

test("line ends of several kinds are a blank line, and a single one is none", async () => {
  assert.ok(await isAccepted("text/event-stream", ["12345678\n\r", "1234567\r\n\n"]));
  assert.not(await isAccepted("text/event-stream", ["1234567\r\n", "12"]));
});

test("while a long stream is read, the event loop does other work", async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => void ((turns += 1), isOver || setImmediate(count));
  await withTickingClock(20, async () => {
    setImmediate(count);
    assert.ok(await isAccepted("text/event-stream", Array<string>(200).fill("x\n\n")));
    isOver = true;
  });
  assert.ok(turns >= 200, `${turns} turns for 200 chunks, each of which takes a slice of work`);
});

test.run();
