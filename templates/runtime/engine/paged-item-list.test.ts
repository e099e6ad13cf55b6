import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ToolEntry } from "../tools/definition.js";
import { refusal, sampleEngine, type SampleEngine } from "../samples/engine.js";
import { erased, tool } from "../samples/server.js";

/** Makes an engine with the tools t0, t1, …. All can be switched, and the named ones are off at the start. */
function tools(count: number, pageSize: number | undefined, off: readonly string[] = []) {
  const made = Array.from({ length: count }, (_, index): ToolEntry => {
    const name = `t${index}`;
    return {
      ...tool(
        name,
        erased(() => "x"),
      ),
      enabled: !off.includes(name),
    };
  });
  return sampleEngine({ tools: made, ...(pageSize === undefined ? {} : { pageSize }) });
}

/** Returns the names on all pages, from the first page or from a cursor. */
function pages(engine: SampleEngine, cursor?: string): string[][] {
  const page = engine.tools.list(cursor === undefined ? {} : { cursor });
  const names = page.tools.map(({ name }) => name);
  return page.nextCursor === undefined ? [names] : [names, ...pages(engine, page.nextCursor)];
}

test("without a page size, all items are on one page", () => {
  assert.is(pages(tools(500, undefined)).length, 1);
});

test("pages have at most the page size, and the last one has no cursor", () => {
  assert.equal(pages(tools(5, 2)), [["t0", "t1"], ["t2", "t3"], ["t4"]]);
  assert.equal(pages(tools(4, 2)), [
    ["t0", "t1"],
    ["t2", "t3"],
  ]);
  assert.equal(pages(tools(2, 2)), [["t0", "t1"]]);
});

test("items that are switched off are on no page, and no page is empty", () => {
  assert.equal(pages(tools(5, 2, ["t0", "t4"])), [["t1", "t2"], ["t3"]]);
  assert.equal(pages(tools(3, 2, ["t2"])), [["t0", "t1"]]);
  assert.equal(pages(tools(2, 1, ["t0", "t1"])), [[]]);
});

test("a switch between two pages neither repeats nor loses an item", () => {
  const engine = tools(6, 2);
  const { nextCursor } = engine.tools.list({});
  engine.live.tools.disable("t0");
  assert.equal(pages(engine, nextCursor), [
    ["t2", "t3"],
    ["t4", "t5"],
  ]);
  engine.live.tools.enable("t0");
  assert.equal(pages(engine)[0], ["t0", "t1"]);
});

test("a page is the same object until an item is switched", () => {
  const engine = tools(3, 2);
  const first = engine.tools.list({});
  assert.is(engine.tools.list({}), first);
  engine.live.tools.enable("t0");
  assert.is(engine.tools.list({}), first, "it was on already");
  engine.live.tools.disable("t0");
  assert.is.not(engine.tools.list({}), first);
});

test("cursors that the list did not make are refused", async () => {
  const engine = tools(5, 2);
  const forged = ["x", 2, null, {}, "from 2", base64url("from 5"), base64url("from 02")];
  const padded = `${engine.tools.list({}).nextCursor}==`;
  for (const cursor of [...forged, base64url("from 0"), base64url("from -1"), padded]) {
    await refusal(-32602, () => engine.tools.list({ cursor }));
  }
});

test("only items with `enabled` in the manifest can be switched", () => {
  const { live } = sampleEngine();
  assert.throws(() => live.tools.disable("forecast"), /no `enabled` for "forecast"/);
  assert.ok(live.tools.isEnabled("forecast"));
});

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}

test.run();
