import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { checkText } from "./text.js";

const KEYS = [
  `AKIA${"A1".repeat(8)}`,
  `ghp_${"a1".repeat(18)}`,
  `sk-${"x_".repeat(10)}`,
  "-----BEGIN RSA PRIVATE KEY-----",
];

/** The number of texts with a problem. */
function problemsOf(yaml: string): number {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  return manifest === undefined ? NaN : checkText(manifest).length;
}

test("keys of services are found, however the source breaks them up", () => {
  for (const key of KEYS) {
    const found = problemsOf(`a: "see\\n${key}"\nb: "see${key}"\n`);
    assert.is(found, key.startsWith("-") ? 2 : 1, key);
  }
  assert.is(problemsOf("a: >\n  -----BEGIN\n  PRIVATE KEY-----\n"), 1);
});

test.run();
