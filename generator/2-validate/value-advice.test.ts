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

test("a mapping in place of a list gets the hint to make it an item", () => {
  const hint = '; it is one item: put "- " before its first key, or [ ] around it';
  expectHints([
    ["transports:\n  type: http\n  port: 3000", hint],
    ["transports:\n  port: 3000\n  type: http", hint],
    ["tools:\n  name: a\n  description: A.", hint],
    [tool("content: { type: text, text: Hello }"), hint],
    ['transports: [{type: http}]\nauth:\n  jwt: { issuer: "https://a.example" }', hint],
    [tool("examples: {arguments: {}}"), hint],
  ]);
});

test("a text in place of a list whose items need several keys gets the example of the schema as a hint", () => {
  expectHints([
    [
      "prompts: [{name: p, description: x, messages: Plan a trip.}]",
      '; write a list, such as [{role: user, content: {type: text, text: "Plan a trip to {{city}}."}}]',
    ],
  ]);
});

test("a text in place of a mapping that needs several keys gets the hint with these keys", () => {
  const mapping = "; write a mapping with its ";
  expectHints([
    [
      "prompts: [{name: p, description: x, messages: [Plan a trip.]}]",
      `${mapping}role and content`,
    ],
    [tool("sql: SELECT 1"), `${mapping}database and query`],
  ]);
});

test("a mapping with a message or text in place of this text gets the hint to write it alone", () => {
  expectHints([
    [tool("confirm: {message: 'Restore {{name}}?'}"), '; write "Restore {{name}}?" alone'],
    [tool("confirm: {message: Sure?, title: Really}"), "; undefined"],
    [tool("confirm: {env: SURE}"), "; undefined"],
  ]);
});

test("a mapping of items by name gets the hint to write a list of items with names", () => {
  const list = "; write a list, each item with its ";
  expectHints([
    ["tools: {get_x: {description: y}}", `${list}name and description`],
    ["transports: {http: {port: 1}}", `${list}type`],
    ["transports: {main: {port: 1}}", `${list}type`],
    ["tools: {name: {description: y}}", `${list}name and description`],
    ["tools: {http: {description: y}}", `${list}name and description`],
    ["resources: {help: {uri: 'a://b'}}", `${list}uri and name`],
  ]);
});

test("a list in place of a mapping gets the hint to write names, or one mapping", () => {
  const named = "; write a mapping: each value under a name of its own";
  expectHints([
    [upstream + tool("http: {upstream: api, path: /x, query: [a, b]}"), named],
    [tool("exec: {command: [ls], env: [A=b]}"), named],
    ["upstreams: [api]", named],
    ["databases: [shop]", named],
    ["env:\n  - name: A\n    required: true", named],
    [
      "prompts: [{name: p, description: x, messages: [{role: user, content: [{type: text, text: Hi}]}]}]",
      "; one is meant: leave out the list around it",
    ],
  ]);
});

test("a text in place of a list or an item gets the hint with its words", () => {
  expectHints([
    ["tools: a", "; undefined"],
    [tool("exec: ls -la"), "; write {command: [ls, -la]}"],
    [tool("exec: {command: ls -la}"), "; write [ls, -la]"],
    [tool("exec: [ls, -la]"), "; write {command: [ls, -la]}"],
    [tool(`exec: {command: "grep -e 'a b'"}`), "; write [grep, -e, a b]"],
    ['upstreams: {other: {mcp: {command: "npx -y @x/y"}}}', '; write [npx, -y, "@x/y"]'],
    ["keywords: rain and sun", "; write [rain and sun]"],
    ["keywords: 'rain, sun'", "; write [rain, sun]"],
    [
      "prompts: [{name: p, description: x, arguments: [{name: a, complete: handler}]}]",
      "; write code, or [handler]",
    ],
  ]);
});

test("a key of an item in place of its name gets the hint to put it under a name", () => {
  expectHints([
    ["upstreams: {baseUrl: 'https://a.example'}", '; put it under a name: "NAME: {baseUrl: …}"'],
    ["databases: {type: postgres}", '; put it under a name: "NAME: {type: …}"'],
    [tool("elicitations: {message: Sure?}"), '; put it under a name: "NAME: {message: …}"'],
  ]);
});

test("a switch in place of a question or an announcement gets the hint what to write, and no quotes", () => {
  expectHints([
    [tool("confirm: true"), '; write the question, such as "Delete {{path}} for good?"'],
    [tool("confirm: false"), "; leave it out"],
    [tool("deprecated: true"), "; write the version that announces it: { since: 1.2.0 }"],
    [tool("deprecated: false"), "; leave it out"],
    ["audit: true", "; write {}, which has its defaults"],
  ]);
});

test("a text in place of a block of content gets the hint to write a block of text", () => {
  expectHints([
    [
      "prompts: [{name: p, description: x, messages: [{role: user, content: Plan a trip.}]}]",
      "; write {type: text, text: …}",
    ],
    [tool("content: Hello"), "; write [{type: text, text: …}]"],
    [tool("content: [Hello]"), "; write {type: text, text: …}"],
  ]);
});

test("any value in place of a variable's settings gets the hint where it is set", () => {
  const hint =
    "; its value is set where the server runs; write {required: true}, or {default: …} for what is no secret";
  expectHints([
    ["env: {PORT: 3000}", hint],
    ["env: {DEBUG: true}", hint],
  ]);
});

test("a command in another form does not seem to leave out the arguments in it", () => {
  const schema =
    "inputSchema: {type: object, additionalProperties: false, properties: {id: {type: string, description: x}}}";
  expectHints([
    [
      tool(`${schema}, exec: {command: "grep -- {{id}} app.log"}`),
      '; write [grep, "--", "{{id}}", app.log]',
    ],
  ]);
});

test("the hint for a value in place of a mapping contains the whole mapping", () => {
  expectHints([
    ["upstreams: {api: {baseUrl: 'https://a.example', retries: 3}}", "; write {max: 3}"],
    ["audit: {to: AUDIT_LOG}", "; write {env: AUDIT_LOG}"],
    ["audit: {to: audit.log}", "; undefined"],
    ["scale: redis://a.example", "; undefined"],
  ]);
});

test("paths of other notations in place of a JSON Pointer get the pointer as a hint", () => {
  const hint = (path: string, end: string): [string, string] => [
    `${upstream}${tool(`http: {upstream: api, path: /a, result: {from: "${path}"}}`)}`,
    end,
  ];
  expectHints([
    hint("data", "; write /data"),
    hint("data.items", "; write /data/items"),
    hint("$.data[0].x", "; write /data/0/x"),
    hint("a b", "; undefined"),
  ]);
});

test("a placeholder of Jinja in a path gets the one of manifests as a hint", () => {
  const properties =
    "inputSchema: {type: object, additionalProperties: false, properties: {id: {type: string, description: x}}, required: [id]}";
  for (const placeholder of ["{{ args.id }}", "{{ id | urlencode }}"]) {
    const { manifest } = loadManifest(
      "mcp.yaml",
      Buffer.from(
        `name: demo\nversion: 1.0.0\n${upstream}${tool(`${properties}, http: {upstream: api, path: "/a/${placeholder}"}`)}\n`,
      ),
    );
    const found = manifest && validateManifest(manifest).find(({ code }) => code === "MW2085");
    assert.is(found?.hint, "for the argument, write {{id}}");
  }
});

test("a JSON Schema in place of a prompt's arguments is said to be one", () => {
  const { manifest } = loadManifest(
    "mcp.yaml",
    Buffer.from(
      "name: demo\nversion: 1.0.0\nprompts: [{name: p, description: x, arguments: {type: object, properties: {}, required: [a]}}]\n",
    ),
  );
  const found = manifest && validateManifest(manifest).find(({ code }) => code === "MW1201");
  assert.is(found?.hint, "this is a JSON Schema: write a list, each item with its name");
  assert.is(found?.mend, undefined);
});

test("a reference to a variable gets the hint about requests only where a request would send it", () => {
  const env = "env: {T: {required: true}}\n";
  for (const lines of [
    `${env}upstreams: {http: {baseUrl: 'https://a.example', timeoutMs: {env: T}}}`,
    `${env}${upstream}${tool("http: {upstream: {env: T}, path: /a}")}`,
  ]) {
    const { manifest } = loadManifest(
      "mcp.yaml",
      Buffer.from(`name: demo\nversion: 1.0.0\n${lines}\n`),
    );
    const found = manifest && validateManifest(manifest).find(({ code }) => code === "MW1201");
    assert.match(found?.message ?? "", "not a mapping");
    assert.is(found?.hint, undefined, lines);
  }
});

test.run();
