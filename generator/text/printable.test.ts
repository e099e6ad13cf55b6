import { test } from "uvu";
import * as assert from "uvu/assert";
import { printable, printableJson, printableLines } from "./printable.js";

const hostile = 'a"\u001b[2J\u009b2J\u202e\u200b\u{e0041}\u007f東\ud800\n';

test("characters that control a terminal or are invisible are escaped", () => {
  assert.is(
    printable(hostile),
    'a"\\u001b[2J\\u009b2J\\u202e\\u200b\\u{e0041}\\u007f東\\ud800\\u000a',
  );
  assert.is(printableLines("a\u001b\nb\r\nc"), "a\\u001b\nb\\u000d\nc");
});

test("JSON keeps its value and has no such characters", () => {
  const text = printableJson({ [hostile]: [hostile] });
  assert.equal(JSON.parse(text), { [hostile]: [hostile] });
  assert.is(printableLines(text), text);
});

test.run();
