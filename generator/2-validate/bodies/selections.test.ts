import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { JsonObject } from "../../model/json.js";
import { withSelectedOutputs } from "../../bodies/selecting-tools.js";
import { validateManifest } from "../validate.js";

const START = `name: demo
version: 1.0.0
upstreams: { api: { baseUrl: "https://api.example" }, other: { mcp: { url: "https://other.example/mcp" } } }
env: { DB: { type: url, required: true, secret: true } }
databases: { shop: { type: postgres, url: { env: DB } } }
schemas: { User: { type: object, properties: { login: { type: string, description: Login name } }, required: [login] } }
`;

const ANSWER =
  "{type: object, properties: {items: {type: array, items: {type: object, properties: {id: {type: integer}, user: {$ref: '#/schemas/User'}, tags: {type: array, items: {type: string}}}, required: [id, user]}}}, required: [items]}";

interface Found {
  readonly messages: readonly string[];
  readonly output: unknown;
}

/** What is found in a tool with a body, and the outputSchema that it has in the end. */
function found(body: string, more = ""): Found {
  const text = `${START}tools:
  - name: a
    description: Does a
    inputSchema: {type: object, additionalProperties: false}${more}
    ${body}
`;
  const { manifest: written } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(written, text);
  const manifest = withSelectedOutputs(written);
  const messages = validateManifest(manifest)
    .filter(({ code }) => code !== "MW2301")
    .map(({ line, code, message }) => `${line} ${code} ${message}`);
  const [tool] = (manifest.value["tools"] ?? []) as JsonObject[];
  return { messages, output: tool?.["outputSchema"] };
}

const http = (result: string, more = ""): string =>
  `http: {upstream: api, path: /x, result: {${result}}${more}}`;

test("a tool that selects has the output schema that follows", () => {
  const body = http(
    `answerSchema: ${ANSWER}, select: "items[].{id: id, owner: user.login, tags: tags}"`,
  );
  const tags = { type: ["array", "null"], items: { type: "string" } };
  const properties = {
    id: { type: "integer" },
    owner: { type: "string", description: "Login name" },
    tags,
  };
  const items = {
    type: "object",
    properties,
    required: ["id", "owner", "tags"],
    additionalProperties: false,
  };
  assert.equal(found(body), { messages: [], output: { type: "array", items } });
});

test("without a schema of the answer, the output has the names of members", () => {
  const { messages, output } = found(http('select: "{n: length(items), first: items[0].id}"'));
  assert.equal(messages, []);
  assert.equal(output, {
    type: "object",
    properties: { n: { type: "integer", minimum: 0 }, first: true },
    required: ["n", "first"],
    additionalProperties: false,
  });
});

test("statements and calls of other servers may select, too", () => {
  const sql =
    'sql: {database: shop, query: "select id from orders", select: "{count: length(@), ids: [].id}"}';
  assert.equal(found(sql).messages, []);
  const mcp = 'mcp: {upstream: other, select: "results[].name"}';
  assert.equal(found(mcp), { messages: [], output: { type: ["array", "null"] } });
});

test("a selection that cannot be read, or that the answer's schema does not allow, is an error at its place", () => {
  const select = (text: string): readonly string[] =>
    found(http(`answerSchema: ${ANSWER}, select: ${JSON.stringify(text)}`)).messages;
  assert.match(select("items[")[0] ?? "", /^11 MW2190 this is no selection: it is no JMESPath: /);
  assert.equal(select("items[].{name: users.login}"), [
    '11 MW2191 the answer\'s schema has no member "users" there: did you mean "user"?',
  ]);
  assert.equal(select("items[].{n: length(tags)}"), [
    "11 MW2191 length() fails where its argument is null, unless the selection has something in its place (`tags || \\`[]\\``)",
  ]);
});

test("a selection replaces from, fields and truncate, and is for results of tools alone", () => {
  const beside = (more: string): readonly string[] => found(http(`${more}, select: "a"`)).messages;
  const replaced = (key: string): string =>
    `11 MW2192 "select" works on the whole answer, so that "${key}" has nothing to do beside it`;
  assert.equal(beside("from: /items"), [replaced("from")]);
  assert.equal(beside("fields: [a]"), [replaced("fields")]);
  const pages = http('from: /items, select: "[].id"', ", paginate: {link: true}");
  assert.equal(found(pages).messages, []);
  assert.equal(found(http("answerSchema: {type: object}")).messages, [
    '11 MW2192 "answerSchema" says nothing without "select"; the schema of the result is the outputSchema',
  ]);
});

test("an output schema that the author wrote must take what the selection makes", () => {
  const output = (schema: string): string => `\n    outputSchema: ${schema}`;
  const body = http(`answerSchema: ${ANSWER}, select: "items[].{id: id, tags: tags}"`);
  const list = (item: string): string => output(`{type: array, items: {type: object, ${item}}}`);
  assert.equal(found(body, list("properties: {id: {type: integer}}, required: [id]")).messages, []);
  assert.equal(
    found(body, list("properties: {id: {type: integer}, name: {type: string}}, required: [name]"))
      .messages,
    [
      '12 MW2193 the outputSchema refuses what the selection makes: "[]" has no "name", which is required',
    ],
  );
  assert.equal(found(body, list("properties: {tags: {type: array}}")).messages, [
    '12 MW2193 the outputSchema refuses what the selection makes: "[].tags" may be null',
  ]);
});

test("without a schema of the answer, what a selection makes in any case must fit, too", () => {
  const problemOf = (select: string, schema: string): readonly string[] =>
    found(http(`select: "${select}"`), `\n    outputSchema: ${schema}`).messages;
  const misfit = "12 MW2193 the outputSchema refuses what the selection makes:";
  assert.equal(problemOf("{n: length(@)}", "{type: array}"), [
    `${misfit} the result may be object`,
  ]);
  assert.equal(problemOf("items[].id", "{type: object}"), [
    `${misfit} the result may be null or array`,
  ]);
  assert.equal(problemOf("{n: length(@)}", "{type: object, properties: {n: {type: string}}}"), [
    `${misfit} "n" may be integer`,
  ]);
  for (const [select, schema] of [
    ["items[].id", "{type: array, items: {type: string}}"],
    ["a.b", "{type: number}"],
    ["{n: length(@)}", "{type: object, properties: {n: {type: number}}}"],
  ] as const) {
    assert.equal(problemOf(select, schema), [], select);
  }
});

test("the result of an example is what the selection makes of its answer", () => {
  const example = (result: string): string =>
    `\n    examples: [{name: one, arguments: {}, http: {body: {items: [{id: 1, user: {login: ann}}]}}, result: ${result}}]`;
  const body = http(`answerSchema: ${ANSWER}, select: "items[].{owner: user.login}"`);
  assert.equal(found(body, example("[{owner: ann}]")).messages, []);
  assert.match(found(body, example("[{owner: bob}]")).messages[0] ?? "", /^11 MW2090 /);
});

test.run();
