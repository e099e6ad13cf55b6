import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

const HEAD = "name: demo\nversion: 1.0.0\n";
const DROP = `tools:
  - name: drop
    description: Drops a file.
    inputSchema: { type: object, properties: { path: { type: string, description: Where } }, required: [path], additionalProperties: false }
`;

/** The findings, each with its line and column. */
function found(text: string): string[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(HEAD + text));
  return [...diagnostics, ...validateManifest(manifest!)].map(
    ({ line, column, code, message }) => `${line}:${column} ${code} ${message}`,
  );
}

test("a question may name arguments of the tool, and nothing else", () => {
  assert.equal(found(`${DROP}    confirm: Drop {{path}}{{#path}}, really{{/path}}?\n`), []);
  assert.equal(found(`${DROP}    confirm: Drop {{pth}}?\n`), [
    '7:19 MW2040 the tool has no argument "pth"; did you mean "path"?',
  ]);
  assert.match(found(`${DROP}    confirm: true\n`).join(), /^7:14 MW1201 /);
  assert.match(found(`${DROP}    confirm: ""\n`).join(), /^7:14 MW\d+ /);
});

test("only tools can have confirm", () => {
  const [problem = ""] = found(
    'resources: [{ uri: "x://a", name: a, description: A., text: A, confirm: Sure? }]\n',
  );
  assert.match(problem, /^3:\d+ MW1203 unknown key "confirm"/);
});

test("over HTTP without sessions, older clients cannot be asked", () => {
  const transport = (more: string): string => `transports: [{ type: http${more} }]\n`;
  const confirm = `${DROP}    confirm: Sure?\n`;
  const [problem = "", ...others] = found(transport("") + confirm);
  assert.match(problem, /^3:22 MW2315 http has no sessions.* "drop" asks the user$/);
  assert.equal(others, []);
  assert.equal(found(transport(", sessions: memory") + confirm), []);
  assert.equal(found(`protocol: { legacy: reject }\n${transport("")}${confirm}`), []);
});

test.run();
