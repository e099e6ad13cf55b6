import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { withSelectedOutputs } from "../../bodies/selecting-tools.js";
import { validateManifest } from "../validate.js";

/** What is found in a tool with an `http` body: line and column, code and message. */
function found(http: string, more = ""): string[] {
  const text = `name: demo
version: 1.0.0
upstreams: { api: { baseUrl: "https://api.example" } }
schemas: { Input: { type: object, properties: { q: { type: string } }, additionalProperties: false } }
tools:
  - name: a
    description: Gets an a
    ${more}
    http: {upstream: api, path: /x, ${http}}
resources:
  - uri: a:b
    name: b
    description: A b
    http: {upstream: api, path: /x, query: {}}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest, text);
  return validateManifest(withSelectedOutputs(manifest))
    .filter(({ code }) => /^MW21/.test(code) || /^MW20[0-5]/.test(code))
    .map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
}

const CLOSED =
  "inputSchema: {type: object, properties: {q: {type: string}}, additionalProperties: false}";

test("pages are exposed by tools whose inputSchema can get the cursor", () => {
  for (const way of ["link: true", "page: {query: at}", "cursor: {query: at, from: /next}"]) {
    assert.equal(found(`paginate: {${way}, expose: true}`, CLOSED), []);
  }
  assert.match(
    found("paginate: {link: true, expose: true}", CLOSED.replace("q:", "cursor:"))[0] ?? "",
    /^8:46 MW2194 models cannot ask for further pages: the tool has an argument "cursor" already/,
  );
  assert.match(
    found("paginate: {link: true, expose: true}", 'inputSchema: {$ref: "#/schemas/Input"}')[0] ??
      "",
    /^8:5 MW2194 .*the inputSchema states no properties itself/,
  );
  assert.match(
    found("paginate: {expose: true}", CLOSED)[0] ?? "",
    /paginate.*cursor.*page.*link/,
    "without a way to find pages there is nothing to expose",
  );
});

test("members for headers have names of their own, and no credentials", () => {
  assert.equal(found("result: {headers: {etag: ETag}}", CLOSED), []);
  const example =
    "examples: [{http: {status: 201, headers: {etag: x}, body: {id: 1}}, result: {id: 1}}]";
  assert.equal(found("result: {headers: {etag: ETag}}", `${CLOSED}\n    ${example}`), []);
  for (const [headers, column, problem] of [
    ["{nextCursor: ETag}", 56, 'the result has a member "nextCursor" already'],
    ["{cookie: Set-Cookie}", 64, 'the header "Set-Cookie" may hold credentials'],
  ] as const) {
    const [message = ""] = found(`result: {headers: ${headers}}`, CLOSED);
    assert.match(message, `9:${column} MW2195 ${problem}`);
  }
});

test("the result for an answer without content fits the outputSchema, and is a text without one", () => {
  const output = `${CLOSED}\n    outputSchema: {type: object, properties: {gone: {type: boolean, description: x}}, required: [gone]}`;
  assert.equal(found('result: {noContent: "Gone: {{q}}"}', CLOSED), []);
  assert.equal(found("result: {noContent: {gone: true}}", output), []);
  assert.equal(found('result: {noContent: {gone: "{{q}}"}}', output), []);
  assert.match(
    found("result: {noContent: {gone: 1}}", output)[0] ?? "",
    "10:57 MW2196 the outputSchema refuses",
  );
  assert.match(
    found("result: {noContent: {gone: 1}}", CLOSED)[0] ?? "",
    "9:57 MW2196 without an outputSchema",
  );
  assert.match(found('result: {noContent: "{{who}}"}', CLOSED)[0] ?? "", "no argument");
  assert.match(
    found("paginate: {link: true}, result: {noContent: x}", CLOSED)[0] ?? "",
    "MW2196 a page of a list has content",
  );
});

test("a repeated request that may do its work twice is a warning, unless the tool is idempotent", () => {
  const post = "method: POST, retries: {max: 2}";
  assert.match(found(post, CLOSED)[0] ?? "", "9:51 MW2197 a repeated POST may do its work twice");
  assert.equal(found(post, `${CLOSED}\n    annotations: {idempotentHint: true}`), []);
  assert.equal(found("method: POST, retries: {max: 0}", CLOSED), []);
  assert.equal(found("method: PUT, retries: {max: 2}", CLOSED), []);
});

test.run();
