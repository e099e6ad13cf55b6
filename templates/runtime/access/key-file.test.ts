import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { apiKeysIn } from "./key-file.js";

const lineOf = (key: string): string =>
  `${key}:${createHash("sha256").update(key).digest("hex")}:read\n`;

/** Makes a folder with a file of keys, and a clock that the test advances. */
function setUp(text?: string) {
  const folder = mkdtempSync(join(tmpdir(), "mcpwright-keys-"));
  const logged: unknown[] = [];
  let time = 0;
  const write = (lines: string): void => writeFileSync(join(folder, "keys.txt"), lines);
  if (text !== undefined) write(text);
  const server = {
    root: folder,
    log: { error: (message: unknown, data?: unknown) => logged.push([message, data]) } as never,
  };
  return {
    logged,
    write,
    open: (file: string | undefined = "keys.txt") => apiKeysIn(file, server, () => time),
    advance: (milliseconds: number) => void (time += milliseconds),
    remove: () => rmSync(join(folder, "keys.txt")),
    cleanUp: () => rmSync(folder, { recursive: true }),
  };
}

test("keys are read from a file; if it cannot be read, an error is logged and no key is valid", () => {
  const { open, logged, cleanUp } = setUp(lineOf("one"));
  try {
    assert.ok(open().verify("one"));
    assert.not(open("").verify("one"));
    assert.equal(logged, []);
    assert.not(open("none.txt").verify("one"));
    const message = "the file of API keys cannot be read, and so no key is known";
    assert.equal(logged, [[message, { file: "none.txt", cause: "ENOENT" }]]);
    assert.not(open(".").verify("one"));
    assert.equal(logged[1], [message, { file: ".", cause: "it is not a regular file" }]);
  } finally {
    cleanUp();
  }
});

test("a changed file is read again after a second, and not before", () => {
  const { open, write, advance, remove, logged, cleanUp } = setUp(lineOf("one"));
  try {
    const keys = open();
    write(lineOf("one") + lineOf("two"));
    assert.not(keys.verify("two"));
    advance(1_000);
    assert.ok(keys.verify("two"));
    write(lineOf("two"));
    advance(1_000);
    assert.not(keys.verify("one"), "a removed key");
    assert.ok(keys.verify("two"));
    remove();
    advance(1_000);
    assert.not(keys.verify("two"), "a removed file");
    write(lineOf("three"));
    advance(1_000);
    assert.ok(keys.verify("three"));
    assert.is(logged.length, 1);
  } finally {
    cleanUp();
  }
});

test("while a changed file has an invalid line, the previous keys stay valid and one error is logged", () => {
  const { open, write, advance, logged, cleanUp } = setUp(lineOf("one"));
  try {
    const keys = open();
    write(`${lineOf("two")}three:sha`);
    for (let second = 0; second < 3; second++) {
      advance(1_000);
      assert.ok(keys.verify("one"));
      assert.not(keys.verify("two"));
    }
    const [[message, data] = []] = logged as [string, object][];
    assert.is(message, "the file of API keys is wrong, and the keys of before stay valid");
    assert.match(JSON.stringify(data), "line 2 of the API keys is not name:sha256:scopes");
    assert.is(logged.length, 1);
    write(lineOf("two"));
    advance(1_000);
    assert.ok(keys.verify("two"));
    assert.throws(() => openInvalidFile(), "line 1 of the API keys");
  } finally {
    cleanUp();
  }
});

/** Starts with a file that has an invalid line. */
function openInvalidFile(): void {
  const { open, cleanUp } = setUp("three:sha");
  try {
    open();
  } finally {
    cleanUp();
  }
}

test.run();
