import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { apiKeysIn } from "./key-file.js";

const lineOf = (key: string): string =>
  `${key}:${createHash("sha256").update(key).digest("hex")}:read\n`;

/** A folder with a file of keys, and a clock that the test moves. */
function scene(text?: string) {
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
    pass: (milliseconds: number) => void (time += milliseconds),
    remove: () => rmSync(join(folder, "keys.txt")),
    end: () => rmSync(folder, { recursive: true }),
  };
}

test("keys are read from a file; if it cannot be read, that is logged and no key is valid", () => {
  const { open, logged, end } = scene(lineOf("one"));
  try {
    assert.ok(open().verify("one"));
    assert.not(open("").verify("one"));
    assert.equal(logged, []);
    assert.not(open("none.txt").verify("one"));
    const message = "the file of API keys cannot be read, and so no key is known";
    assert.equal(logged, [[message, { file: "none.txt", cause: "ENOENT" }]]);
    assert.not(open(".").verify("one"));
    assert.equal(logged[1], [message, { file: ".", cause: "EISDIR" }]);
  } finally {
    end();
  }
});

test("a file that changes is read again within a second, and not before", () => {
  const { open, write, pass, remove, logged, end } = scene(lineOf("one"));
  try {
    const keys = open();
    write(lineOf("one") + lineOf("two"));
    assert.not(keys.verify("two"));
    pass(1_000);
    assert.ok(keys.verify("two"));
    write(lineOf("two"));
    pass(1_000);
    assert.not(keys.verify("one"), "a key that was taken out");
    assert.ok(keys.verify("two"));
    remove();
    pass(1_000);
    assert.not(keys.verify("two"), "a file that was removed");
    write(lineOf("three"));
    pass(1_000);
    assert.ok(keys.verify("three"));
    assert.is(logged.length, 1);
  } finally {
    end();
  }
});

test("while a changed file has an invalid line, the previous keys are valid, and that is logged once", () => {
  const { open, write, pass, logged, end } = scene(lineOf("one"));
  try {
    const keys = open();
    write(`${lineOf("two")}three:sha`);
    for (let second = 0; second < 3; second++) {
      pass(1_000);
      assert.ok(keys.verify("one"));
      assert.not(keys.verify("two"));
    }
    const [[message, data] = []] = logged as [string, object][];
    assert.is(message, "the file of API keys is wrong, and the keys of before stay valid");
    assert.match(JSON.stringify(data), "line 2 of the API keys is not name:sha256:scopes");
    assert.is(logged.length, 1);
    write(lineOf("two"));
    pass(1_000);
    assert.ok(keys.verify("two"));
    assert.throws(() => apiKeysOfWrongFile(), "line 1 of the API keys");
  } finally {
    end();
  }
});

/** A server does not start with a wrong file. */
function apiKeysOfWrongFile(): void {
  const { open, end } = scene("three:sha");
  try {
    open();
  } finally {
    end();
  }
}

test.run();
