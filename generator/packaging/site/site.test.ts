import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { explanationPath, siteAddress } from "../../cli/site-address.js";
import { explainedRules } from "../../4-compare/catalogue/explanations.js";
import { explainedDiagnostics } from "../../model/catalogue/explanations.js";
import { PageBrowser, withoutChromium } from "../../testing/harness/clients/page-browser.js";
import { testUnless } from "../../testing/harness/runner/skipped-test.js";
import { brokenLinks } from "./broken-links.js";
import { makeSite } from "./make-site.js";

// It fails if a link leads nowhere.
const files = await makeSite();

test("every diagnostic and every kind of changes has its page, at the path that its address has", () => {
  const codes = [...explainedDiagnostics(), ...explainedRules()];
  for (const { code, title } of codes) {
    const html = files.get(explanationPath(code)) ?? "";
    assert.match(html, `<h1>${code}: `, `${code}: ${title}`);
  }
  assert.is(
    siteAddress("MW1203", "https://docs.example/mcpwright/"),
    "https://docs.example/mcpwright/diagnostics/MW1203.html",
  );
  assert.is(
    siteAddress("tool-removed", "https://docs.example"),
    "https://docs.example/changes/tool-removed.html",
  );
  assert.is(siteAddress("MW1203"), undefined, "the site has no address yet");
});

test("types of fields are links to their own page, and texts stay texts", () => {
  const tool = files.get("reference/tool.html") ?? "";
  assert.match(tool, '<td>list of <a href="icon.html">icon</a></td>');
  assert.not.match(files.get("reference/index.html") ?? "", "<script>");
  for (const html of files.values()) assert.not.match(html, "undefined.html");
});

test("links to missing pages and headings are found", () => {
  const pages = new Map([
    [
      "a/one.html",
      '<a href="two.html"></a><a href="../three.html#here"></a><a href="https://x.example"></a>',
    ],
    ["three.html", '<h2 id="there"></h2><a href="#there"></a><img src="picture.png">'],
  ]);
  assert.equal(brokenLinks(pages), [
    "a/one.html: two.html",
    "a/one.html: ../three.html#here",
    "three.html: picture.png",
  ]);
});

testUnless(
  withoutChromium,
  "the search finds pages, also where the site lies on a disk",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "mcpwright-site-"));
    const browser = await PageBrowser.start();
    try {
      for (const [path, text] of files) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const { page, faults } = await browser.open(
        pathToFileURL(join(folder, "diagnostics/index.html")).href,
      );
      await page.fill("#search", "unknown key");
      const found = page.locator("#found a", { hasText: "MW1203" }).first();
      await found.click();
      assert.match(page.url(), /diagnostics\/MW1203\.html$/);
      assert.match((await page.locator("h1").textContent()) ?? "", "MW1203");
      assert.equal(faults, []);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test.run();
