import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { importGraph } from "../oracles/import-circles.js";
import { LONG_TURNS, turnOf } from "./long-turns.js";

const root = fileURLToPath(packageRoot);
const folders = ["generator", "templates/runtime"].map((folder) => join(root, folder));
const graph = importGraph(folders);
const LENGTH = join(root, "generator/testing/harness/runner/test-length.ts");

/** The test files that are longer in `npm run test:long`, themselves or by what they import, or that only it runs. */
function longTests(): string[] {
  const tests = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
  return tests.filter((path) => {
    if (path.endsWith(".long.test.ts")) return true;
    const pending = [...readFileSync(path, "utf8").matchAll(/\bfrom "(\.[^"]+)\.js"/g)].map(
      ([, target = ""]) => join(dirname(path), `${target}.ts`),
    );
    const found = new Set(pending);
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      const others = (graph.get(file) ?? []).filter((other) => !found.has(other));
      for (const other of others) found.add(other);
      pending.push(...others);
    }
    return found.has(LENGTH);
  });
}

test("each test that has a longer form has one turn in long-turns.ts", () => {
  const turns = longTests().map((path) => {
    const own = LONG_TURNS.filter((parts) => parts.some((part) => path.includes(part)));
    return [path.slice(root.length), own.length];
  });
  assert.ok(turns.length > 0);
  assert.equal(
    turns.filter(([, count]) => count !== 1),
    [],
  );
});

test("seven days that follow each other have all turns", () => {
  const turns = new Set(Array.from({ length: 7 }, (_, day) => turnOf(20_000 + day)));
  assert.is(turns.size, LONG_TURNS.length);
});

test.run();
