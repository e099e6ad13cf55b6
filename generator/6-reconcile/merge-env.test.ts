import { test } from "uvu";
import * as assert from "uvu/assert";
import { generatedVariables, mergeEnv } from "./merge-env.js";

const ours = "# Copy to .env.\n\n# The key\n# Required.\nKEY=\n# Where\nURL='http://x'\n";

test("an empty file gets every variable with its comments", () => {
  assert.is(mergeEnv([], ours, ""), "# The key\n# Required.\nKEY=\n\n# Where\nURL='http://x'\n");
  assert.equal(generatedVariables(ours), ["KEY", "URL"]);
});

test("only new variables are appended; those that the user removed or commented out stay so", () => {
  assert.is(mergeEnv(["KEY"], ours, "MINE=1\n"), "MINE=1\n\n# Where\nURL='http://x'\n");
  assert.is(mergeEnv(["KEY"], ours, "MINE=1\n\n"), "MINE=1\n\n# Where\nURL='http://x'\n");
  assert.is(mergeEnv([], "A=\nB=\n", "MINE=1\n"), "MINE=1\nA=\nB=\n");
  assert.is(mergeEnv([], ours, "#KEY=1\nexport URL=2\n"), "#KEY=1\nexport URL=2\n");
});

test("line ends and a missing final newline stay", () => {
  assert.is(mergeEnv(["KEY"], ours, "A=1\r\nB=2"), "A=1\r\nB=2\r\n\r\n# Where\r\nURL='http://x'");
});

test.run();
