import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { randomNumbers } from "../testing/random-numbers.js";
import { linesAsWritten } from "./is-current.js";
import { writeLock, type Lock } from "./lock.js";
import { inputHash, manifestParts } from "./locked-manifest.js";
import { parseLock } from "./read-lock.js";

const words = ["plain", "Ümlaut", "日本語 👍", "},\n      {", '\n    ]\n  "manifest": {'];

function manifestOf(count: number, random: (below: number) => number): JsonObject {
  const tools = Array.from({ length: count }, (_, index) => toolOf(`tool_${index}`, random));
  return { ...sometimes("description", random), name: "demo", tools, ...sometimes("z", random) };
}

function toolOf(name: string, random: (below: number) => number): JsonObject {
  return { ...sometimes("description", random), name };
}

function sometimes(key: string, random: (below: number) => number): JsonObject {
  return random(2) === 0 ? {} : { [key]: words[random(words.length)] ?? "" };
}

function lockOf(manifest: JsonObject): Lock {
  const [generator, templates] = ["1.0.0", "t"];
  const input = inputHash(generator, templates, manifestParts(manifest));
  return {
    generator,
    templates,
    input,
    manifest,
    files: new Map(),
    removed: new Map(),
  };
}

function read(bytes: Uint8Array): Lock {
  const state = parseLock(bytes);
  if (state.kind !== "read") throw new Error(state.kind);
  return state.lock;
}

/** Other tools in another order, of which some are those of the lock. */
function changed(manifest: JsonObject, random: (below: number) => number): JsonObject {
  const tools = [...(manifest["tools"] as JsonObject[])];
  for (let changes = random(4); changes > 0; changes--) {
    const at = random(tools.length + 1);
    const kind = random(4);
    if (kind === 0) tools.splice(at, 1);
    else if (kind === 1) tools.splice(at, 0, toolOf(`new_${changes}`, random));
    else if (kind === 2) tools.splice(at, 1, toolOf(`other_${changes}`, random));
    else tools.unshift(...tools.splice(at, 2));
  }
  return { ...manifest, ...sometimes("z", random), tools };
}

const textOf = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString();

test("what a lock has of tools is written as the tools would be, whichever of them there are, and in what order", () => {
  const random = randomNumbers(7);
  let kept = 0;
  for (let round = 0; round < 2_000; round++) {
    const mark = random(4) === 0 ? "\uFEFF" : "";
    const written = writeLock(lockOf(manifestOf(random(6), random)));
    const lock = read(Buffer.concat([Buffer.from(mark), written]));
    const lines = linesAsWritten(lock)?.tools;
    const manifest = changed(lock.manifest, random);
    if ((lock.manifest["tools"] as JsonObject[]).length > 0) assert.ok(lines, written.toString());
    const parts = manifestParts(manifest, lines);
    kept += parts.filter(({ buffer }) => buffer === lock.lines?.whole.buffer).length;
    assert.is(textOf(parts), textOf(manifestParts(manifest)));
    assert.is(
      writeLock(lockOf(manifest), parts).toString(),
      writeLock(lockOf(manifest)).toString(),
    );
  }
  assert.ok(kept > 1_000, `${kept} parts of locks`);
});

test("lines that are not as they were written are not taken, though the lock says the same", () => {
  const manifest = { name: "demo", tools: [{ name: "a" }, { name: "b" }] };
  const text = writeLock(lockOf(manifest)).toString();
  const others = [
    text.replace('{"name":"a"}', '{"name": "a"}'),
    text.replaceAll("\n", "\r\n"),
    JSON.stringify(JSON.parse(text), null, 2),
    // Of two manifests, JSON takes the second.
    text.replace('\n  "files"', '\n  "manifest": {"name":"other"},\n  "files"'),
    text.replace('\n  "files"', '\n  "manifest":{"name":"other","tools":[]},\n  "files"'),
  ];
  assert.ok(linesAsWritten(read(Buffer.from(text))));
  for (const other of others) assert.is(linesAsWritten(read(Buffer.from(other))), undefined, other);
  const twice = [...others, text.replace("}\n    ]\n  }", '}\n    ],\n    "tools": []\n  }')];
  for (const other of twice) {
    assert.equal(read(Buffer.from(other)).manifest, JSON.parse(other).manifest, other);
  }
});

test.run();
