import { test } from "uvu";
import * as assert from "uvu/assert";
import { resultMock } from "../5-emit/contract-tests/schema-instances.js";
import type { JsonObject } from "../model/json.js";
import { interpret } from "../schema/interpret.js";
import { checkedManifest } from "../testing/harness/projects/checked-manifest.js";
import { withEnvelope, withEnvelopes } from "./envelope.js";

const START = `name: demo
version: 1.0.0
upstreams: { api: { baseUrl: "https://api.example" } }
schemas: { Tree: { type: object, properties: { id: { type: integer }, next: { $ref: "#/schemas/Tree" } }, required: [id] } }
tools:
  - name: a
    description: Lists a
`;

const tool = (more: string, http: string) => {
  const { model, canonical } = checkedManifest(
    `${START}    ${more}\n    http: { upstream: api, path: /x, ${http} }\n`,
  );
  return { model, tool: model.tools[0]!, canonical };
};

test("a list that models page through has a cursor as argument, and items beside a cursor as result", () => {
  const { model, tool: made } = tool(
    "inputSchema: { type: object, properties: { q: { type: string } }, required: [q], additionalProperties: false }",
    "paginate: { link: true, expose: true }, result: { headers: { total: X-Total } }",
  );
  const { inputSchema, outputSchema } = made.wire as {
    inputSchema: JsonObject;
    outputSchema: JsonObject;
  };
  assert.equal(Object.keys(inputSchema["properties"] as JsonObject), ["q", "cursor"]);
  assert.equal(inputSchema["required"], ["q"]);
  assert.equal(Object.keys(outputSchema["properties"] as JsonObject), [
    "items",
    "nextCursor",
    "total",
  ]);
  assert.equal(outputSchema["required"], ["items"]);
  assert.equal(resultMock(model, made), { items: ["items"], total: "total" }, "a mock has no end");
});

test("references of a declared schema lead to the same parts, and shared ones stay", () => {
  const { tool: made } = tool(
    'outputSchema: { $defs: { N: { type: integer } }, type: array, items: { type: object, properties: { n: { $ref: "#/$defs/N" }, tree: { $ref: "#/schemas/Tree" }, same: { $ref: "#/items" }, all: { $ref: "#" } }, required: [n] } }',
    "paginate: { link: true, expose: true }",
  );
  const schema = made.output!.wire as JsonObject;
  const isValid = (value: object): boolean =>
    interpret(value as JsonObject, schema, schema).length === 0;
  const whole = { n: 1, tree: { id: 1, next: { id: 2 } }, same: { n: 2 }, all: [{ n: 3 }] };
  assert.ok(isValid({ items: [whole], nextCursor: "x" }));
  for (const wrong of [
    { n: "1" },
    { ...whole, tree: { id: "1" } },
    { ...whole, same: {} },
    { ...whole, all: [{}] },
    { ...whole, all: whole },
  ]) {
    assert.not.ok(isValid({ items: [wrong] }), JSON.stringify(wrong));
  }
  assert.not.ok(isValid([whole]));
});

test("a tool without headers and cursors stays what it is, and so does a manifest", () => {
  const plain = { name: "a", http: { upstream: "api", path: "/x", paginate: { link: true } } };
  assert.is(withEnvelope(plain), plain);
  const manifest = { tools: [plain] };
  assert.is(withEnvelopes(manifest), manifest);
});

test("examples describe what the body makes of an answer; headers follow from the example's answer", () => {
  const { tool: made } = tool(
    `examples:
      - { name: body, http: { headers: { etag: x, other: y }, body: { id: 1 } }, result: { id: 1 } }
      - { name: headers alone, http: { status: 201, headers: { ETag: z } }, result: null }`,
    "method: PUT, result: { headers: { version: ETag } }",
  );
  assert.equal(
    made.examples.map(({ expect }) => expect.kind === "result" && expect.result),
    [{ body: { id: 1 }, version: "x" }, { version: "z" }],
  );
});

test("matchers of an example lead into the part of the result that it describes", () => {
  const { tool: made } = tool(
    `examples:
      - { http: { body: { id: 1 } }, result: { id: 1 }, matches: { /id: { type: integer }, "": { any: true } } }
      - { error: x, matches: { "": { pattern: x } } }`,
    "method: PUT, result: { headers: { version: ETag } }",
  );
  assert.equal(
    made.examples.map(({ matches }) => matches),
    [
      [{ pointer: "/body/id", type: "integer" }, { pointer: "/body" }],
      [{ pointer: "", pattern: "x" }],
    ],
  );
});

test.run();
