import { test } from "uvu";
import * as assert from "uvu/assert";
import { HonestRecord } from "./honest-clients.js";

test("a wrong, repeated or missing answer is noticed", () => {
  const right = '{"id":"1-1","result":{"text":"t3xt-1-1"}}';
  for (const [answer, isRight] of [
    [right, true],
    [right.replace("t3xt-1-1", "t3xt-2-7"), false],
    [right.replace('"1-1"', '"2-7"'), false],
    [right.replace("t3xt-1-1", "t3xt-1-1 t3xt-2-7"), false],
    ['{"id":"1-1","error":{}}', false],
  ] as const) {
    const record = new HonestRecord();
    record.check("1-1", "t3xt-1-1", answer);
    assert.is(record.wrong.length === 0, isRight, answer);
  }
});

test.run();
