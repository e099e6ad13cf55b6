import { test } from "uvu";
import * as assert from "uvu/assert";
import { compileBytes } from "../cli/compile-manifest.js";

const START = `name: demo
version: 1.0.0
tools:
  - name: update_issue
    description: Changes the title or the state of an issue.
    inputSchema: { type: object, additionalProperties: false }
    intents: [change the title of an issue, INTENT]
  - name: close_pull_request
    description: Closes a pull request without merging it.
    inputSchema: { type: object, additionalProperties: false }
`;

async function findings(intent: string, more = ""): Promise<string[]> {
  const text = START.replace("INTENT", intent) + more;
  const read = { bytes: Buffer.from(text), diagnostics: [] };
  const { diagnostics } = await compileBytes("mcp.yaml", read, { flags: new Set() });
  return diagnostics
    .filter(({ code }) => code === "MW2323")
    .map(({ line, column, message }) => `${line}:${column} ${message}`);
}

test("an intent whose words find the tool first is not reported", async () => {
  assert.equal(await findings("rename an issue"), []);
});

test("an intent that finds a sibling first is an error at its place, with the words that decide", async () => {
  assert.equal(await findings("close the request for an issue"), [
    '7:45 "close_pull_request" is found before "update_issue" for "close the request for an issue": both have "close"; only "close_pull_request" has "request"',
  ]);
});

test("words of an intent that both tools have are named", async () => {
  const sibling = `  - name: delete_issue
    description: Deletes an issue.
    inputSchema: { type: object, additionalProperties: false }
`;
  assert.equal(await findings("delete an issue", sibling), [
    '7:45 "delete_issue" is found before "update_issue" for "delete an issue": both have "issue"; only "delete_issue" has "delete"',
  ]);
});

test("an intent that finds no tool is reported as such", async () => {
  assert.equal(await findings("make coffee"), [
    '7:45 no tool is found for "make coffee", which is for "update_issue"',
  ]);
});

test("intents are checked only where a tool has some, and only in a manifest without other errors", async () => {
  assert.equal(await findings("make coffee", "  - name: 7\n"), []);
});

test.run();
