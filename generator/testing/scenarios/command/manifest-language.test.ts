import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { manifestLanguageFiles } from "../../made/manifest-language.js";

test("the manifest's types and reference page equal what its schema generates", async () => {
  for (const { path, content } of await manifestLanguageFiles()) {
    const current = await readFile(new URL(`${path}`, packageRoot), "utf8");
    assert.ok(current === content, `${path} is not current: npm run manifest-language`);
  }
});

test("the reference page describes keys with a pattern, and says what needs a token", async () => {
  const files = await manifestLanguageFiles();
  const page = files.find(({ path }) => path.endsWith("REFERENCE.md"))?.content ?? "";
  assert.match(page, /^\| `MW\[0-9\]\{4\}` \| one of "off", "warning", "error" \|.*`MW2302: off`/m);
  assert.match(page, /^\| `metrics` \|.* it asks for a token\. The health check asks for none\./m);
  assert.not.match(page, "`^x-`");
});

test("the reference states the rules for keys that people choose", async () => {
  const reference = (await manifestLanguageFiles()).find(({ path }) => path.endsWith(".md"));
  for (const rule of ["a variable's name has", "a schema's name has", "a question's key has"]) {
    const sentence = `${rule.charAt(0).toUpperCase()}${rule.slice(1)}`;
    assert.ok(reference?.content.includes(sentence), rule);
  }
});

test.run();
