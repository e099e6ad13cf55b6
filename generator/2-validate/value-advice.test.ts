import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "./validate.js";

/** The only diagnostic of a manifest with these lines after name and version, as `message; hint`. */
function onlyDiagnostic(lines: string): string {
  const text = `name: demo\nversion: 1.0.0\n${lines}\n`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  if (manifest === undefined) throw new Error(`not YAML: ${lines}`);
  const found = validateManifest(manifest);
  assert.is(found.length, 1, `${lines}: ${found.map(({ message }) => message).join(", ")}`);
  return `${found[0]?.message}; ${found[0]?.hint}`;
}

/** Lines, each with the end of the only diagnostic. */
function expectHints(cases: readonly (readonly [string, string])[]): void {
  for (const [lines, end] of cases) {
    const words = onlyDiagnostic(lines);
    assert.ok(words.endsWith(end), `${lines}\n${words}`);
  }
}

const tool = (rest: string): string => `tools: [{name: a, description: x, ${rest}}]`;
const upstream = "upstreams: {api: {baseUrl: 'https://a.example'}}\n";

const request = (rest: string): string =>
  upstream + tool(`http: {upstream: api, path: /x, ${rest}}`);

test("a mapping in place of a list gets the hint to make it an item", () => {
  const hyphen = "; it is one item: put a hyphen before its first key: ";
  expectHints([
    ["transports:\n  type: http\n  port: 3000", `${hyphen}"- type: http"`],
    ["transports:\n  port: 3000\n  type: http", `${hyphen}"- port: 3000"`],
    ["tools:\n  name: a\n  description: A.", `${hyphen}"- name: a"`],
    ["tools:\n  name: 'yes'\n  description: A.", hyphen + '`- name: "yes"`'],
    [
      tool("content: { type: text, text: Hello }"),
      "; it is one item: write [{ type: text, text: Hello }]",
    ],
    [tool("content: {type: text,\n  text: Hello}"), "; it is one item: write [{…}]"],
    [
      'transports: [{type: http}]\nauth:\n  jwt: { issuer: "https://a.example" }',
      '; it is one item: write [{ issuer: "https://a.example" }]',
    ],
    [tool("examples: {arguments: {}}"), "; it is one item: write [{arguments: {}}]"],
  ]);
});

test("a mapping of items by name gets the hint to write a list of items with names", () => {
  const list = "; write a list, each item with its ";
  expectHints([
    ["tools: {get_x: {description: y}}", `${list}name: "- name: get_x"`],
    ["transports: {http: {port: 1}}", `${list}type: "- type: http"`],
    [
      "transports: {main: {type: http, port: 1}}",
      '; write a list of what stands under its keys: "- type: http"',
    ],
    ["transports: {main: {port: 1}}", "; undefined"],
    ["tools: {name: {description: y}}", `${list}name: "- name: name"`],
    ["tools: {http: {description: y}}", `${list}name: "- name: http"`],
    ["resources: {help: {uri: 'a://b'}}", `${list}name: "- name: help"`],
    ["resources: {'a://b': {name: help}}", `${list}uri: "- uri: a://b"`],
  ]);
});

test("a list in place of a mapping gets the hint which value belongs to each key", () => {
  const each = "; write each as a key: ";
  expectHints([
    [upstream + tool("http: {upstream: api, path: /x, query: [a, b]}"), `${each}\`a: "{{a}}"\``],
    [
      upstream + tool("http: {upstream: api, path: /x, headers: ['Accept: text/plain']}"),
      `${each}"Accept: text/plain"`,
    ],
    [tool("exec: {command: [ls], env: [A=b]}"), `${each}"A: b"`],
    [tool("exec: {command: [ls], env: [HOME]}"), `${each}"HOME: {env: HOME}"`],
    ["upstreams: [api]", `${each}"api: {baseUrl: …}"`],
    ["databases: [shop]", `${each}"shop: {type: …}"`],
    ["deploy: [docker, compose]", `${each}"docker: true"`],
    [
      "resourceTemplates: [{name: a, description: x, uriTemplate: 'a://{x}', complete: [a, b]}]",
      '; write the list under the name that it is for: "x: [a, b]"',
    ],
    ["env:\n  - name: A\n    required: true", '; write each under its name: "A: {…}"'],
    ["env:\n  - A:\n      required: true", '; write all as one mapping: "A: {…}"'],
    [
      "prompts: [{name: p, description: x, messages: [{role: user, content: [{type: text, text: Hi}]}]}]",
      "; one is meant: leave out the list around it",
    ],
  ]);
});

test("a text in place of a list or an item gets the hint with its words and the keys that it lacks", () => {
  expectHints([
    ["tools: a", "; write [{name: a, description: …}]"],
    ["tools: [a]", "; write {name: a, description: …}"],
    ["resources: help", "; write [{uri: …, name: help}]"],
    [tool("exec: ls -la"), "; write {command: [ls, -la]}"],
    [tool("exec: {command: ls -la}"), "; write [ls, -la]"],
    [tool("exec: [ls, -la]"), "; write {command: [ls, -la]}"],
    [tool(`exec: {command: "grep -e 'a b'"}`), "; write [grep, -e, a b]"],
    ['upstreams: {other: {mcp: {command: "npx -y @x/y"}}}', '; write [npx, -y, "@x/y"]'],
    [tool('scopes: "read write"'), "; write [read, write]"],
    [request("result: {fields: a b}"), "; write [a, b]"],
    ["keywords: rain and sun", "; write [rain and sun]"],
    ["keywords: 'rain, sun'", "; write [rain, sun]"],
  ]);
});

test("a key of an item in place of its name gets the hint to put it under a name", () => {
  expectHints([
    ["upstreams: {baseUrl: 'https://a.example'}", '; put it under a name: "NAME: {baseUrl: …}"'],
    ["databases: {type: postgres}", '; put it under a name: "NAME: {type: …}"'],
    [tool("elicitations: {message: Sure?}"), '; put it under a name: "NAME: {message: …}"'],
  ]);
});

test("the hint for a list of settings in place of a setting suggests nothing that is refused", () => {
  expectHints([["databases: {a: [type, url]}", "; undefined"]]);
});

test("the hint for a value in place of a mapping contains the whole mapping", () => {
  expectHints([
    ["upstreams: {api: {baseUrl: 'https://a.example', retries: 3}}", "; write {max: 3}"],
    [request("paginate: link"), "; write {link: true}"],
    ["deploy: docker", "; write {docker: true}"],
    ["audit: {to: AUDIT_LOG}", "; write {env: AUDIT_LOG}"],
    ["audit: {to: audit.log}", "; undefined"],
    ["scale: redis://a.example", "; undefined"],
  ]);
});

test.run();
