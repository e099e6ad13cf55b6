import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { validateManifest } from "./validate.js";

/** Mistakes that people make at first, and what each message leads to. */
function problems(more: string): Diagnostic[] {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(`name: demo\nversion: 1.0.0\n${more}`));
  assert.ok(manifest, more);
  return validateManifest(manifest);
}

const tool = (text: string): string =>
  `env: { REPO: { default: "." } }
tools:
  - name: a
    description: Does a.
    inputSchema:
      type: object
      properties: { path: { type: string, description: A path } }
      required: [path]
      additionalProperties: false
    exec: { command: [ls, --, "{{path}}", "x${text}"] }
`;

test("a variable of the environment is no placeholder", () => {
  for (const text of ["{{env.REPO}}", "{{env:REPO}}", "{{process.env.REPO}}"]) {
    const [first] = problems(tool(text));
    assert.is(first?.code, "MW2040");
    assert.match(first?.hint ?? "", "a variable of the server is { env: REPO }");
  }
});

test("an argument with a word before it is the argument", () => {
  for (const text of ["{{input.path}}", "{{arguments.path}}"]) {
    assert.match(problems(tool(text))[0]?.message ?? "", 'did you mean "path"?');
  }
  assert.not.match(problems(tool("{{input.other}}"))[0]?.message ?? "", "did you mean");
});

test("the address of a token's service is no secret, unless it has one in it", () => {
  const codes = (url: string): string[] =>
    problems(`env: { TOKEN_URL: { type: url, default: "${url}" } }\ntools: []\n`).map(
      ({ code }) => code,
    );
  assert.not.ok(codes("https://auth.example/token").includes("MW2305"));
  for (const url of ["https://a:b@auth.example/", "https://auth.example/?key=x"]) {
    assert.ok(codes(url).includes("MW2305"), url);
  }
});

test("a variable's name where its value is due is seen", () => {
  const found = problems(`transports: [{ type: http }]
env: { KEYS: { required: true, secret: true } }
auth: { apiKeys: KEYS }
${tool("").replace(/^env.*\n/, "")}`);
  const keys = found.find(({ code }) => code === "MW2305");
  assert.match(keys?.message ?? "", '"apiKeys" looks like a secret in plain text');
  assert.is(keys?.hint, "the value of the variable is { env: KEYS }");
});

test.run();
