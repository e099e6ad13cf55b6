import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** The problems of a manifest that are no advice, as `line:column code message`. */
function problems(text: string): string[] {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(`name: x\nversion: 1.0.0\n${text}`));
  if (manifest === undefined) throw new Error(text);
  return validateManifest(manifest)
    .filter(({ code }) => !code.startsWith("MW33"))
    .map(({ line, column, code, message }) => `${line - 2}:${column} ${code} ${message}`);
}

const ENV = "env: {A_URL: {type: url, required: true}, TOKEN: {secret: true}, PLAIN: {}}\n";
const FILES = "upstreams: {files: {mcp: {command: [node, a.js]}}}\n";
const schema =
  "{type: object, properties: {a: {type: string}, b: {type: string}}, additionalProperties: false}";

const server = (mcp: string, more = ""): string[] =>
  problems(`${ENV}upstreams: {s: {mcp: ${mcp}${more}}}`);
const tool = (mcp: string): string[] =>
  problems(`${FILES}tools:\n- {name: t, description: x, inputSchema: ${schema}, mcp: ${mcp}}`);
const template = (mcp: string): string[] =>
  problems(
    `${FILES}resourceTemplates:\n- {name: t, uriTemplate: "a:///{id}", description: x, mcp: ${mcp}}`,
  );

test("an MCP server is a program or at a URL, and has the keys of its kind", () => {
  assert.equal(server('{url: "https://a.example/mcp"}', ", auth: {bearer: {env: TOKEN}}"), []);
  assert.equal(server("{command: [node, {env: PLAIN}], cwd: a, env: {TOKEN: {env: TOKEN}}}"), []);
  assert.equal(server("{}"), ["2:17 MW2026 an MCP server needs exactly one of url, command"]);
  assert.equal(server('{url: "https://a.example", command: [a]}'), [
    "2:17 MW2026 an MCP server needs exactly one of url, command",
  ]);
  assert.equal(problems("upstreams: {s: {timeoutMs: 5}}"), [
    "1:13 MW2026 an upstream needs exactly one of baseUrl, mcp",
  ]);
  assert.equal(server("{command: [a]}", ", private: true, retries: {max: 1}"), [
    '2:38 MW2161 "private" says nothing of an MCP server that is a program',
    '2:53 MW2161 "retries" says nothing of an MCP server that is a program',
  ]);
  assert.equal(server("{url: {env: A_URL}, cwd: a}", ", redirects: 1"), [
    '2:42 MW2161 "cwd" says nothing of an MCP server at a URL',
    '2:51 MW2161 "redirects" says nothing of an MCP server at a URL',
  ]);
});

test("a command of an MCP server that only a shell would understand is reported", () => {
  const line = "MW2140 the program has spaces: each word of a line is an item of its own";
  assert.equal(server("{command: [npx -y @x/y]}"), [`2:33 ${line}`]);
  assert.equal(server('{command: [node, a.js, "|", tee]}'), [
    '2:45 MW2147 no shell reads this command: "|" is an argument of node',
  ]);
  // Many MCP servers replace it themselves.
  assert.equal(server("{command: [node, a.js, ~/docs]}"), []);
  assert.equal(server('{command: ["/opt/my tools/run", -d, "|", {env: PLAIN}]}'), []);
  assert.equal(server("{command: [sh, -c, 'a | b']}"), []);
  assert.match(server("{command: [a, $PLAIN]}").join("\n"), /^2:36 MW2145 [^\n]+$/);
});

test("variables in the settings of an MCP server are declared, and those for secrets are secret", () => {
  assert.equal(server("{url: {env: PLAIN}}"), [
    '2:34 MW2081 PLAIN holds the URL of an upstream, but its type is not "url"',
  ]);
  assert.match(server("{command: [a, {env: NONE}]}").join(), "2:42 MW2080");
  assert.match(server("{command: [a], env: {API_TOKEN: {env: PLAIN}}}").join(), "2:60 MW2331");
  assert.match(server("{command: [a], env: {API_TOKEN: abc}}").join(), "2:54 MW2305");
});

test("a body names a declared server and arguments of its item", () => {
  assert.equal(tool("{upstream: files}"), []);
  assert.equal(tool('{upstream: files, name: x, arguments: {p: "{{a}}", q: ["{{b}}", 1]}}'), []);
  assert.match(tool("{upstream: file}").join(), 'did you mean "files"?');
  assert.match(tool('{upstream: files, arguments: {p: "{{c}}"}}').join(), "MW2040");
  assert.equal(tool('{upstream: files, arguments: {p: "{{a}}"}}').length, 1);
  assert.match(
    tool('{upstream: files, arguments: {p: "{{a}}"}}').join(),
    'MW2087 the request has no place for the argument "b"',
  );
  const http = 'upstreams: {api: {baseUrl: "https://a.example"}}\n';
  assert.equal(problems(`${http}prompts: [{name: p, description: x, mcp: {upstream: api}}]`), [
    '2:53 MW2160 the upstream "api" is a service over HTTP: no "mcp" can ask it',
  ]);
  assert.equal(
    problems(`${FILES}tools: [{name: p, description: x, http: {upstream: files, path: /x}}]`),
    ['2:52 MW2160 the upstream "files" is an MCP server: no "http" can ask it'],
  );
  const messages = "messages: [{role: user, content: {type: text, text: x}}]";
  assert.match(
    problems(
      `${FILES}prompts: [{name: p, description: x, mcp: {upstream: files}, ${messages}}]`,
    ).join(),
    "MW2026",
  );
});

test("the URI at the other server uses variables of the item's URI only", () => {
  assert.equal(template("{upstream: files}"), []);
  assert.equal(template('{upstream: files, uriTemplate: "b:///{+id}"}'), []);
  assert.match(
    template('{upstream: files, uriTemplate: "b:///{x}"}').join(),
    'MW2162 the URI at the other server cannot be made: the item\'s own template has no variable "x"',
  );
  assert.match(
    template('{upstream: files, uriTemplate: "b:///{id"}').join(),
    "it is no URI template",
  );
});

test.run();
