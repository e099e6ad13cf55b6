import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

const HEAD = "name: demo\nversion: 1.0.0\n";
const TOOLS = `tools:
  - { name: get_order, description: Gets it. }
  - { name: cancel_order, description: Cancels it., aliases: [stop_order] }
`;

/** The findings, each with its line and column. */
function found(text: string): string[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(HEAD + text));
  return [...diagnostics, ...validateManifest(manifest!)].map(
    ({ line, column, code, message }) => `${line}:${column} ${code} ${message}`,
  );
}

test("both forms of `exposure` are accepted", () => {
  assert.equal(found(`exposure: search\n${TOOLS}`), []);
  assert.equal(found(`exposure: { list: [get_order], search: true, x-why: often }\n${TOOLS}`), []);
});

test("other forms of `exposure` are reported at their place", () => {
  assert.equal(found(`exposure: serach\n${TOOLS}`), [
    '3:11 MW1205 "exposure" must be "search", not the text "serach"; did you mean "search"?',
  ]);
  assert.match(
    found(`exposure: [get_order]\n${TOOLS}`).join(),
    /^3:11 MW1201 "exposure" must be a string or a mapping, not a list/,
  );
  assert.match(
    found(`exposure: { list: [], search: true }\n${TOOLS}`)[0] ?? "",
    /^3:19 MW1209 "list" must not be empty/,
  );
  assert.match(
    found(`exposure: { list: [get_order] }\n${TOOLS}`).join(),
    /^3:11 MW1204 an exposure setting needs the key "search"/,
  );
});

test("a listed tool that does not exist is reported with a suggestion", () => {
  assert.equal(
    found(`exposure:\n  search: true\n  list: [get_order, get_ordr, refund]\n${TOOLS}`),
    [
      '5:21 MW2130 there is no tool "get_ordr" to list; did you mean "get_order"?',
      '5:31 MW2130 there is no tool "refund" to list',
    ],
  );
});

test("names and aliases of the search tools are refused, but only if the server has these", () => {
  const tools =
    "tools:\n  - { name: call_tool, description: x }\n  - { name: a, description: y, aliases: [b, read_tool] }\n";
  assert.equal(found(`exposure: search\n${tools}`), [
    '5:13 MW2131 with `exposure: search` the server has a tool "call_tool" of its own',
    '6:45 MW2131 with `exposure: search` the server has a tool "read_tool" of its own',
  ]);
  assert.equal(found(tools), []);
});

test("`exposure` is reported if every tool is listed", () => {
  const message = "MW2132 every tool is listed, so that there is none to search for";
  assert.equal(found(`exposure: { list: [get_order, cancel_order], search: true }\n${TOOLS}`), [
    `3:1 ${message}`,
  ]);
  assert.equal(found("exposure: search\n"), [`3:1 ${message}`]);
});

test("tools that are not listed do not count against the budget", () => {
  const tool = (index: number): string => `  - { name: t${index}, description: Does ${index}. }\n`;
  const tools = `tools:\n${Array.from({ length: 60 }, (_, index) => tool(index)).join("")}`;
  assert.match(found(tools).join(), /MW2304 there are 60 tools/);
  assert.equal(found(`exposure: search\n${tools}`), []);
});

test.run();
