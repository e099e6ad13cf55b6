import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLog, logLevelFrom, redirectConsole, type Logger } from "./log.js";

function collect(level?: "debug" | "error"): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  return { log: createLog({ write, ...(level === undefined ? {} : { level }) }), lines };
}

test("each entry of at least the log's level is one line of JSON", () => {
  const { log, lines } = collect();
  log.debug("dropped");
  log.warning("hot", { degrees: 40, time: "mine", message: "mine" });
  assert.is(lines.length, 1);
  const { time, ...entry } = JSON.parse(lines[0]!);
  assert.equal(entry, { level: "warning", message: "hot", degrees: 40 });
  assert.match(time, /^\d{4}-.*Z$/);
  assert.is(logLevelFrom({ LOG_LEVEL: "DEBUG" }), "debug");
  assert.is(logLevelFrom({ LOG_LEVEL: "loud" }), "info");
});

test("characters that break lines or control a terminal are escaped", () => {
  const { log, lines } = collect();
  log.info("a\nb\u2028c\u0000d\u001b[2Je\u009bf\ud800", { "k\n": "\r\u2029" });
  assert.is(lines[0]!.replace(/\n$/, "").search(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/), -1);
  assert.is(JSON.parse(lines[0]!)["k\n"], "\r\u2029");
});

test("characters that reverse text are escaped, and parsing the line restores them", () => {
  const { log, lines } = collect();
  const text = "a\u202etxt.exe\u2066b\u2069\u061c\u200e\u200f";
  log.info(text, { [text]: text, deeper: { [text]: [text] } });
  assert.not.match(lines[0]!, /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  const { message, deeper } = JSON.parse(lines[0]!) as Record<string, unknown>;
  assert.equal([message, deeper], [text, { [text]: [text] }]);
});

test("data of any kind is logged as JSON of bounded size", () => {
  const { log, lines } = collect();
  const circular: Record<string, unknown> = { name: "loop" };
  circular["self"] = circular;
  const trap = {
    get secret(): string {
      throw new Error("no");
    },
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  log.info("odd", {
    circular,
    trap,
    proxy: revoked.proxy,
    big: 10n,
    symbol: Symbol("s"),
    error: new Error("boom"),
    bytes: new Uint8Array(5),
    date: new Date(0),
    function: () => 1,
    nothing: undefined,
    long: "x".repeat(100_000),
    wide: Array.from({ length: 100_000 }, (_, index) => index),
  });
  const entry = JSON.parse(lines[0]!);
  assert.is(entry.trap.secret, "[unreadable]");
  assert.is(entry.proxy, "[unreadable]");
  assert.is(entry.big, "10");
  assert.match(entry.error, /boom/);
  assert.is(entry.bytes, "[5 bytes]");
  assert.is(entry.date, String(new Date(0)));
  assert.ok(lines[0]!.length < 50_000);
});

test("calls of console write to the log", () => {
  const { log, lines } = collect("debug");
  const original = globalThis.console;
  try {
    redirectConsole(log);
    console.log("one %d", 1);
    console.error("two\nlines");
    console.table([{ a: 1 }]);
  } finally {
    globalThis.console = original;
  }
  const entries = lines.map((line) => JSON.parse(line));
  assert.equal(
    entries.slice(0, 2).map(({ level, message }) => [level, message]),
    [
      ["info", "one 1"],
      ["warning", "two\nlines"],
    ],
  );
  assert.is(entries.length, 3);
});

test("the fast writer of log entries writes the same JSON as JSON.stringify", () => {
  const texts = [
    "plain",
    'quo"te',
    "back\\slash",
    "tab\t",
    "é",
    "\u2028",
    "\ud800",
    "~ !#[]",
    "",
    "\u007f",
  ];
  const values = [...texts, 0, -0, 1.5, 1e21, NaN, Infinity, true, false, null];
  for (const value of values) {
    let line = "";
    createLog({ write: (text) => (line = text) }).info("m", { [String(value)]: value });
    const {
      time: _,
      level: __,
      message: ___,
      ...data
    } = JSON.parse(line) as object & Record<string, unknown>;
    const expected = JSON.parse(JSON.stringify({ [String(value)]: value })) as object;
    assert.equal(data, expected, JSON.stringify(value));
    assert.match(line, /^[^\u0000-\u001f\u007f-\u009f\u2028]*\n$/);
  }
});

test.run();
