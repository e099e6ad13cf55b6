import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** The codes and places of what the rules about descriptions find in tools that are written as YAML. */
function found(...tools: string[]): string[] {
  const text = `name: demo\nversion: 1.0.0\ntools:\n${tools.map((tool) => `  - {${tool}}\n`).join("")}`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest, text);
  return validateManifest(manifest)
    .filter(({ code }) => /^MW232[4-9]$/.test(code))
    .map(({ line, code }) => `${line} ${code}`);
}

const tool = (name: string, description: string, more = ""): string =>
  `name: ${name}, description: ${description}${more}`;

test("a description begins with what the tool does", () => {
  for (const good of [
    "Lists the open issues.",
    "Close an issue.",
    "Thisbe is asked.",
    "Canonicalizes text.",
    "Ändert den Titel.",
    "Itemizes a bill.",
  ]) {
    assert.equal(found(tool("a", good)), [], good);
  }
  for (const bad of [
    "This tool lists issues.",
    "The open issues.",
    "Allows you to close an issue.",
  ]) {
    assert.equal(found(tool("a", bad)), ["4 MW2324"], bad);
  }
});

test("one warning counts all tools", () => {
  const tools = ["a", "b", "c", "d", "e"].map((name) => tool(name, "This tool does x."));
  assert.equal(found(...tools, tool("f", "Does it.")), ["4 MW2324"]);
});

test("of tools whose names mean the same, each says when to use it, or another names it", () => {
  const list = tool("list_commits", "Lists the commits of a branch.");
  const search = tool("searchCommits", "Finds commits by their texts.");
  assert.equal(found(list, search), ["4 MW2325"]);
  assert.equal(
    found(
      tool("list_commits", "Lists the commits of a branch. Use searchCommits to look for words."),
      search,
    ),
    [],
  );
  const other = tool("searchCommits", "Finds commits. For those of a branch take list_commits.");
  assert.equal(found(list, other), []);
  assert.equal(found(list, tool("search_tags", "Finds tags.")), []);
  assert.equal(found(list), []);
});

const numbers = (name: string, schema: string): string =>
  tool(
    "wait",
    "Waits for a page.",
    `, inputSchema: {type: object, additionalProperties: false, properties: {${name}: {${schema}}}}`,
  );

test("a quantity has a unit, in its name or its description", () => {
  assert.equal(found(numbers("timeout", "type: integer, description: How long")), ["4 MW2326"]);
  assert.equal(found(numbers("maxAge", "type: [number, 'null'], description: How old")), [
    "4 MW2326",
  ]);
  assert.equal(found(numbers("timeout", "type: integer, description: Seconds to wait")), []);
  assert.equal(found(numbers("timeoutMs", "type: integer, description: How long")), []);
  assert.equal(found(numbers("size", "type: integer, enum: [1, 2], description: Of what")), []);
  assert.equal(found(numbers("page", "type: integer, description: Which")), []);
  assert.equal(found(numbers("timeout", "type: string, description: How long")), []);
});

test("the description of a tool that runs or computes something must say what it returns", () => {
  assert.equal(found(tool("a", "Evaluates JavaScript on the page.")), ["4 MW2327"]);
  assert.equal(found(tool("a", "Evaluates JavaScript and returns its value.")), []);
  assert.equal(found(tool("a", "Checks whether a name is taken.")), []);
  assert.equal(found(tool("a", "Converts dollars to euros.")), []);
  assert.equal(found(tool("a", "Deletes a file.")), []);
  assert.equal(found(tool("a", "Evaluates it.", ", outputSchema: {type: object}")), []);
});

test("a description that praises the tool is reported", () => {
  assert.equal(found(tool("a", "Searches the web with the most powerful index.")), ["4 MW2328"]);
  assert.equal(found(tool("a", "Reads how much power a device takes.")), []);
});

test("a description says more than the name", () => {
  assert.equal(found(tool("submitPendingReview", "Submits the pending review.")), ["4 MW2329"]);
  assert.equal(found(tool("submit_review", "Submits a review that its author can then read.")), []);
  assert.equal(found(tool("ping", "Ping.")), [], "one word is no description, and another rule's");
});

test.run();
