import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { PAYLOADS } from "../../testing/harness/random/hostile-text.js";
import { randomNumbers } from "../../testing/harness/runner/random-numbers.js";
import { checkEachText, checkText } from "./text.js";

const KEYS = [
  `AKIA${"A1".repeat(8)}`,
  `ghp_${"a1".repeat(18)}`,
  `sk-${"x_".repeat(10)}`,
  "-----BEGIN RSA PRIVATE KEY-----",
];
const PIECES = [...PAYLOADS, ...KEYS, "\\n", "\\0", "\\u200b", "°C", "Grüße", "a", "b c", "سلام"];

/** The findings of `checkText` and of `checkEachText`. Undefined if the manifest cannot be loaded. */
function bothWays(yaml: string): readonly [Diagnostic[], Diagnostic[]] | undefined {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  return manifest && [checkText(manifest), checkEachText(manifest)];
}

/** A text in one of the notations of YAML, which is not always valid. */
function written(text: string, notation: number): string {
  switch (notation) {
    case 0:
      return JSON.stringify(text);
    case 1:
      return `"${text}"`;
    case 2:
      return `'${text.replaceAll("'", "''")}'`;
    case 3:
      return `|\n    ${text}`;
    case 4:
      return `>-\n    ${text.replaceAll(" ", "\n    ")}`;
    default:
      return text;
  }
}

test("the check of the whole source and the check of each text find the same", () => {
  let [loaded, faulty] = [0, 0];
  for (let seed = 1; seed <= 3_000; seed++) {
    const below = randomNumbers(seed);
    const pieces = Array.from({ length: 1 + below(3) }, () => PIECES[below(PIECES.length)]);
    const text = pieces.join(["", " ", "a", "\n    "][below(4)]);
    const isKey = below(5) === 0;
    const notation = below(6);
    const yaml = isKey
      ? `name: a\nx-a: {${written(text, notation % 3)}: 1}\n`
      : `name: a\ndescription: ${written(text, notation)}\nversion: 1\n`;
    const found = bothWays(yaml);
    if (found === undefined) continue;
    loaded += 1;
    if (found[1].length > 0) faulty += 1;
    assert.equal(found[0], found[1], JSON.stringify(yaml));
  }
  assert.ok(loaded > 1_000 && faulty > 100, `${loaded} loaded, ${faulty} faulty`);
});

test("keys of services are found, however the source breaks them up", () => {
  for (const key of KEYS) {
    const [found = [], each] = bothWays(`a: "see\\n${key}"\nb: "see${key}"\n`) ?? [];
    assert.equal(found, each);
    assert.is(found.length, key.startsWith("-") ? 2 : 1, key);
  }
  const folded = "a: >\n  -----BEGIN\n  PRIVATE KEY-----\n";
  assert.is(bothWays(folded)?.[0].length, 1);
});

test.run();
