import { test } from "uvu";
import * as assert from "uvu/assert";
import { generatedBlocks, mergeEnv } from "./merge-env.js";

const ours = "# Copy to .env.\n\n# The key\n# Required.\nKEY=\n# Where\nURL='http://x'\n";
const key = { KEY: "# The key\n# Required.\nKEY=" };

test("an empty file gets every variable with its comments", () => {
  assert.is(mergeEnv({}, ours, ""), "# The key\n# Required.\nKEY=\n\n# Where\nURL='http://x'\n");
  assert.equal(generatedBlocks(ours), { ...key, URL: "# Where\nURL='http://x'" });
});

test("new variables are appended; those that the user removed or commented out stay so", () => {
  assert.is(mergeEnv(key, ours, "MINE=1\n"), "MINE=1\n\n# Where\nURL='http://x'\n");
  assert.is(mergeEnv(key, ours, "MINE=1\n\n"), "MINE=1\n\n# Where\nURL='http://x'\n");
  assert.is(mergeEnv({}, "A=\nB=\n", "MINE=1\n"), "MINE=1\nA=\nB=\n");
  assert.is(mergeEnv({}, ours, "#KEY=1\nexport URL=2\n"), "#KEY=1\nexport URL=2\n");
});

test("a variable that nobody edited follows the manifest, and goes with the blank line before it", () => {
  const base = generatedBlocks(ours);
  const theirs = `MINE=1\n\n${ours}\nMORE=2\n`;
  const changed = ours.replace("# Required.", "# Optional.").replace("# Where\n", "");
  assert.is(mergeEnv(base, changed, theirs), `MINE=1\n\n${changed}\nMORE=2\n`);
  assert.is(mergeEnv(base, "", theirs), "MINE=1\n\n# Copy to .env.\n\nMORE=2\n");
  assert.is(mergeEnv(base, "", theirs.trimEnd()), "MINE=1\n\n# Copy to .env.\n\nMORE=2");
});

test("a variable that the user edited stays as it is, as does one of a base without blocks", () => {
  for (const theirs of [
    "# The key\n# Required.\nKEY=mine\n",
    "# My words\n# The key\n# Required.\nKEY=\n",
    "#KEY=\n",
  ]) {
    assert.is(mergeEnv(key, "# Copy to .env.\n", theirs), theirs);
    assert.is(mergeEnv(key, "KEY=other\n", theirs), theirs);
  }
  assert.is(mergeEnv({ KEY: "" }, "", ours), ours);
});

test("line ends and a missing final newline stay", () => {
  assert.is(mergeEnv(key, ours, "A=1\r\nB=2"), "A=1\r\nB=2\r\n\r\n# Where\r\nURL='http://x'");
  const theirs = "A=1\r\n\r\n# The key\r\n# Required.\r\nKEY=";
  assert.is(mergeEnv(key, "KEY=2\n", theirs), "A=1\r\n\r\nKEY=2");
  assert.is(mergeEnv(key, "", theirs), "A=1");
});

test.run();
