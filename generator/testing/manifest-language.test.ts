import { readFile } from "node:fs/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { manifestLanguageFiles } from "./manifest-language.js";

test("the manifest's types and its reference page are what its schema gives", async () => {
  for (const { path, content } of await manifestLanguageFiles()) {
    const current = await readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
    assert.ok(current === content, `${path} is not current: npm run manifest-language`);
  }
});

test.run();
