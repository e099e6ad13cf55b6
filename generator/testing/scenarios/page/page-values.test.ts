import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RunningHttp } from "../../../../templates/runtime/http/transport.js";
import { erased, tool } from "../../../../templates/runtime/samples/server.js";
import {
  PageBrowser,
  withoutChromium,
  type ObservedPage,
} from "../../harness/clients/page-browser.js";
import { servePage } from "../../harness/services/page-server.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/** Values that a page in Chromium must neither change nor choke on. */

const test = suite("values in the page");
let server: RunningHttp;
let browser: PageBrowser;
let opened: ObservedPage;

const echo = tool(
  "echo",
  erased((input: unknown) => JSON.stringify(input)),
  {
    properties: {
      free: {},
      // The compiler lets a pattern of quadratic time through where the text may not be long.
      square: { type: "string", pattern: "^a*a*$", maxLength: 2_000 },
      pattern: { type: "string", const: "of this name" },
      members: {
        type: "object",
        patternProperties: { "^a*a*$": { type: "integer" } },
        additionalProperties: false,
      },
    },
  },
);

test.before(async () => {
  server = await servePage({ tools: [echo] });
  browser = await PageBrowser.start();
});
test.before.each(async () => {
  opened = await browser.open(server.url);
  await opened.goTo("echo");
});
test.after.each(() => opened.close());
test.after(async () => {
  await browser?.close();
  await server?.close();
});

/** Makes the page note the length of every text that it matches by the pattern of quadratic time. */
async function noteMatchedTexts(): Promise<void> {
  await opened.page.evaluate(`
    globalThis.matchedLengths = [];
    const { test } = RegExp.prototype;
    RegExp.prototype.test = function (text) {
      if (this.source === "^a*a*$") matchedLengths.push(text.length);
      return test.call(this, text);
    };`);
}

/** The lengths of the texts that the page has matched since it notes them. */
function matchedLengths(): Promise<number[]> {
  return opened.page.evaluate("matchedLengths");
}

test("a number that JavaScript cannot represent is not sent as another number", async () => {
  const free = opened.page.getByLabel("free");
  const inexact = opened.page.getByText("This page cannot send this number exactly.");
  for (const text of ["9007199254740993", '{"id": [-12345678901234567890]}', "1e400", "1e-400"]) {
    await free.fill(text);
    await inexact.waitFor();
    await free.fill("0");
    await inexact.waitFor({ state: "detached" });
  }
  await free.fill('{"9007199254740993": "\\"1e400", "n": [9007199254740992, 0.0, 1e2]}');
  assert.is(await inexact.count(), 0);
  const answer = await opened.send();
  await answer.getByRole("tab", { name: "Text" }).click();
  assert.equal(JSON.parse((await answer.locator("pre").textContent()) ?? ""), {
    free: { "9007199254740993": '"1e400', n: [9007199254740992, 0, 100] },
  });
});

test("a text that is far too long for its pattern is reported, and is not matched", async () => {
  const square = opened.page.getByRole("textbox", { name: "square" });
  await noteMatchedTexts();
  await square.fill("ab");
  await opened.page.getByText("Expected: a text of the form ^a*a*$.").waitFor();
  assert.ok((await matchedLengths()).includes(2));
  const tooLong = "a".repeat(20_000) + "!";
  await square.fill(tooLong);
  await opened.page.getByText("Expected: at most 2000 characters.").waitFor();
  await opened.page.getByLabel("pattern").selectOption("of this name");
  const members = opened.page.getByRole("group", { name: "members" });
  await members.getByLabel("Name").fill(tooLong);
  await members.getByLabel("Name").fill("aaa");
  const lengths = await matchedLengths();
  assert.ok(lengths.includes(3), "the names of members are matched");
  assert.ok(Math.max(...lengths) <= 2_000, `a text of ${Math.max(...lengths)} was matched`);
  assert.equal(opened.faults, []);
});

runUnless(withoutChromium, "values in the page", test);
