import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Lock, LockedFile } from "./lock.js";
import { parseLock } from "./read-lock.js";
import { writeLock } from "./write-lock.js";

const hash = "ab".repeat(32);
const other = "cd".repeat(32);

const lock: Lock = {
  generator: "1.0.0",
  manifest: { name: "demo", tools: [{ name: "a" }] },
  files: new Map<string, LockedFile>([
    ["src/tools/a.ts", { owner: "handler", hashes: [hash], item: "tool:a", exportName: "a" }],
    ["package.json", { owner: "merged", hashes: [hash], base: { name: "demo" } }],
    ["src/main.ts", { owner: "generated", hashes: [hash] }],
  ]),
  removed: new Map([["src/removed/tools/b.ts", { owner: "handler", item: "tool:b" }]]),
};

const lockText = (of: Lock): string => writeLock(of).toString();

function read(text: string | Uint8Array): ReturnType<typeof parseLock> {
  return parseLock(Buffer.from(text));
}

test("a lock is read as it was written, sorted, and follows its schema", () => {
  const text = lockText(lock);
  const state = read(text);
  assert.is(state.kind, "read");
  if (state.kind === "read") assert.is(lockText(state.lock), text);
  assert.equal(Object.keys(JSON.parse(text).files), [
    "package.json",
    "src/main.ts",
    "src/tools/a.ts",
  ]);
  const schema = readFileSync(
    new URL("../../../schemas/lock.schema.json", import.meta.url),
    "utf8",
  );
  const validate = new Ajv2020().compile(JSON.parse(schema));
  assert.ok(validate(JSON.parse(text)), JSON.stringify(validate.errors));
});

test("the layout of a lock does not matter", () => {
  const manifest = { name: "demo", tools: [{ name: "a", text: "},\n      {" }, { name: "b" }] };
  const text = lockText({ ...lock, manifest });
  const twice = text.replace('\n  "files"', '\n  "manifest": {"name":"other"},\n  "files"');
  for (const layout of [
    text,
    text.replaceAll("\n", "\r\n"),
    `\uFEFF${text}`,
    JSON.stringify(JSON.parse(text), null, 2),
    JSON.stringify(JSON.parse(text)),
  ]) {
    const state = read(layout);
    assert.is(state.kind, "read", layout);
    if (state.kind === "read") assert.is(lockText(state.lock), text, layout);
  }
  // Of two manifests, as a merge or a person may leave them, JSON takes the second.
  const state = read(twice);
  assert.equal(state.kind === "read" && state.lock.manifest, { name: "other" });
});

test("F14: a lock cut at any byte, empty or garbage is corrupt, and never an exception", () => {
  const bytes = Buffer.from(lockText(lock).trimEnd());
  for (let length = 0; length < bytes.length; length++) {
    assert.is(parseLock(bytes.subarray(0, length)).kind, "corrupt", `cut at ${length}`);
  }
  const garbage = [
    "null",
    "[]",
    "{}",
    '{"lockVersion":0}',
    '{"lockVersion":"1"}',
    "\u0000",
    "[".repeat(1e5),
  ];
  for (const text of garbage) assert.is(read(text).kind, "corrupt", text.slice(0, 20));
  assert.is(read(Buffer.from([0xff, 0xfe, 0x00])).kind, "corrupt");
});

test("a malformed entry makes the lock corrupt", () => {
  const entries = [{}, { owner: "generated" }, { owner: "x", hash }, { owner: "handler", hash }, 1];
  for (const entry of entries) {
    const value = { ...JSON.parse(lockText(lock)), files: { "a.ts": entry } };
    assert.is(read(JSON.stringify(value)).kind, "corrupt", JSON.stringify(entry));
  }
});

test("guarantee 19: a lock of a newer version is recognised, whatever else it contains", () => {
  assert.equal(read('{"lockVersion":3,"strange":[]}'), { kind: "newer", lockVersion: 3 });
});

test("guarantee 10: a path that leaves the project is refused by name", () => {
  const paths = [
    "../x",
    "/etc/passwd",
    "a/../../b",
    "",
    "a//b",
    "c:\\x",
    ".git/config",
    "a\u0000",
    "./a",
  ];
  for (const path of [...paths, "node_modules/x/index.js", "src/.GIT/hooks"]) {
    const value = {
      ...JSON.parse(lockText(lock)),
      files: { [path]: { owner: "generated", hash } },
    };
    assert.equal(read(JSON.stringify(value)), { kind: "unsafe", path });
  }
});

test("with conflict markers in the lock, a file is unedited if either side generated it", () => {
  const theirs = lockText({
    ...lock,
    files: new Map(lock.files).set("src/main.ts", { owner: "generated", hashes: [other] }),
  });
  const sides = [lockText(lock).split("\n"), theirs.split("\n")];
  const lines = sides[0]?.flatMap((line, index) => {
    const second = sides[1]?.[index];
    if (line === second) return [line];
    return ["<<<<<<< HEAD", line, "||||||| base", "old", "=======", second, ">>>>>>> feature"];
  });
  const state = read((lines ?? []).join("\n"));
  assert.is(state.kind, "read");
  if (state.kind !== "read") return;
  assert.ok(state.conflicted);
  assert.equal(state.lock.files.get("src/main.ts")?.hashes, [hash, other]);
});

test("a file with two entries in the lock is unedited if either entry fits, also where such a lock is valid JSON", () => {
  const entry = `"src/main.ts": { "owner": "generated", "hash": "${other}" }`;
  const twice = lockText(lock).replace(
    '    "src/main.ts"',
    `    ${entry}\n    ,\n    "src/main.ts"`,
  );
  assert.type(JSON.parse(twice), "object");
  for (const text of [twice, twice.replaceAll("\n", "\r\n")]) {
    const state = read(text);
    assert.is(state.kind, "read");
    if (state.kind !== "read") return;
    assert.ok(state.conflicted);
    assert.equal(state.lock.files.get("src/main.ts")?.hashes, [other, hash]);
  }
  const described = { ...lock, manifest: { tools: [{ name: "a", title: entry, [entry]: entry }] } };
  const state = read(lockText(described));
  assert.is(state.kind === "read" && state.conflicted, false);
});

test("a lock with conflict markers around an incomplete part is corrupt", () => {
  assert.is(read("<<<<<<< a\n{\n=======\n}\n>>>>>>> b\n").kind, "corrupt");
});

test.run();
