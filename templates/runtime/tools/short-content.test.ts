import type { CallToolResult } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Era } from "../context/context.js";
import { text } from "../engine/content.js";
import { caller, sampleEngine } from "../samples/engine.js";
import { erased, tool } from "../samples/server.js";
import { result } from "./result.js";
import { shortText, type TextForm } from "./short-content.js";

/** The content of a result for a client of an era. */
async function contentOf(
  form: TextForm | undefined,
  era: Era,
  returned: unknown,
): Promise<CallToolResult["content"]> {
  const outputSchema = { type: "object" } as const;
  const entry = tool(
    "only",
    erased(() => returned),
    { outputSchema },
  );
  const stated = form === undefined ? entry : { ...entry, text: form };
  const { tools } = sampleEngine({ tools: [stated], shortText });
  const called = await tools.call({ name: "only", arguments: {} }, { ...caller, era });
  const { content, structuredContent } = called as CallToolResult;
  assert.ok(structuredContent, "the structured value is always there");
  return content;
}

test("clients of 2026-07-28 get the text of the manifest, and all others the JSON", async () => {
  const value = { issues: [{ id: 1 }, { id: 2 }], total: 2 };
  const json = [text(JSON.stringify(value))];
  const summary = [text("The structured result has issues (2 items), total.")];
  assert.equal(await contentOf("summary", "modern", value), summary);
  assert.equal(await contentOf("none", "modern", value), []);
  assert.equal(await contentOf(undefined, "modern", value), json);
  for (const form of ["summary", "none", undefined] as const) {
    assert.equal(await contentOf(form, "legacy", value), json);
  }
});

test("a text that a handler writes itself stays", async () => {
  const own = result({ content: "In my words", structuredContent: { a: 1 } });
  for (const form of ["summary", "none"] as const) {
    assert.equal(await contentOf(form, "modern", own), [text("In my words")]);
  }
});

test("a summary counts items and names members", () => {
  assert.is(shortText("summary", [1]), "The structured result is a list of 1 item.");
  assert.is(shortText("summary", []), "The structured result is a list of 0 items.");
  assert.is(shortText("summary", {}), "The structured result is empty.");
  assert.is(shortText("summary", null), "null");
  const wide = Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`m${index}`, 0]));
  assert.match(shortText("summary", wide) ?? "", /has m0, .*, m19, 2 more\.$/);
});

test.run();
