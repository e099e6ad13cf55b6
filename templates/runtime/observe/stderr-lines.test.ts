import { spawnSync } from "node:child_process";
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../samples/until.js";
import { createLog } from "./log.js";
import { writeNow } from "./stderr-lines.js";

const { stderr } = process;
const write = stderr.write.bind(stderr);
const written: string[] = [];

test.before.each(() => {
  written.length = 0;
  stderr.write = (chunk: string | Uint8Array) => written.push(String(chunk)) > 0;
});
test.after.each(() => {
  stderr.write = write;
});

/** Longer than the time after a write in which lines wait for others. */
const pauseAfterWrites = (): Promise<void> => delay(20);

const messagesIn = (text: string | undefined): unknown[] =>
  (text ?? "")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { message: unknown }).message);

test("the lines of one turn of the event loop are written together", async () => {
  const log = createLog();
  await pauseAfterWrites();
  log.info("one");
  log.info("two");
  assert.is(written.length, 0);
  await turn();
  assert.is(written.length, 1);
  assert.equal(messagesIn(written[0]), ["one", "two"]);
});

test("lines of the turns after a write are written together, a moment later", async () => {
  const log = createLog();
  writeNow("first\n");
  for (const message of ["one", "two", "three"]) {
    log.info(message);
    await turn();
  }
  assert.equal(written.length, 1);
  await until(() => written.length > 1);
  assert.equal(messagesIn(written[1]), ["one", "two", "three"]);
});

test("an error is written at once, after the lines that are pending", async () => {
  const log = createLog();
  log.info("before");
  log.error("trouble");
  assert.equal(written.map(messagesIn), [["before", "trouble"]]);
  await turn();
  assert.is(written.length, 1);
});

test("pending lines are written when the process ends", () => {
  const log = JSON.stringify(new URL("./log.js", import.meta.url));
  const program = `import { createLog } from ${log}; createLog().info("last"); process.exit();`;
  const ended = spawnSync(process.execPath, ["--input-type=module", "-e", program]);
  assert.equal(messagesIn(ended.stderr.toString()), ["last"]);
});

test("many pending lines are written before the turn ends", () => {
  const log = createLog();
  for (let count = 0; count < 200; count++) log.info("x".repeat(1_000));
  writeNow();
  assert.ok(written.length > 2, `${written.length} writes`);
});

test.run();
