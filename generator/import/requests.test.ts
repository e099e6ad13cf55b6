import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { commandLinePlace } from "../model/catalogue/command-line.js";
import type { JsonObject } from "../model/json.js";
import { importOpenApi } from "./import-openapi.js";
import { readDocument } from "./read-document.js";

/** The imported tool of one operation: its arguments, and their places in the request. */

interface Tool extends JsonObject {
  readonly inputSchema: JsonObject;
  readonly http: JsonObject;
}

interface Result {
  readonly manifest: JsonObject;
  readonly tool: Tool;
  readonly messages: readonly string[];
}

/** @param text of a document with one operation */
function imported(text: string): Result {
  const read = readDocument("api.yaml", Buffer.from(text));
  if ("problem" in read) throw new Error(read.problem.message);
  const { manifest, diagnostics } = importOpenApi(read.document, {
    selection: { tags: [], paths: [], methods: [], operations: [], exclude: [] },
    withOutput: true,
    recordedPath: "api.yaml",
    place: commandLinePlace(0),
  });
  const messages = diagnostics.map(({ message }) => message);
  assert.ok(manifest !== undefined, messages.join("\n"));
  const value = parse(manifest) as JsonObject;
  const [tool] = value["tools"] as Tool[];
  assert.ok(tool !== undefined);
  return { manifest: value, tool, messages };
}

const head = (version: string): string =>
  version === "2.0"
    ? 'swagger: "2.0"\ninfo: {title: A}\nhost: a.example\n'
    : `openapi: ${version}\ninfo: {title: A}\nservers: [{url: https://a.example}]\n`;

/** @param rest of the document */
const operation = (version: string, method: string, text: string, rest = ""): Result =>
  imported(`${head(version)}paths: {/a: {${method}: {operationId: a, ${text}}}}\n${rest}`);

test("a document cannot make a tool that runs a program, or trust an argument", () => {
  const body = 'exec: {command: [sh, "{{x}}"], trusted: [x]}, trusted: [x]';
  const extensions = `${body}, x-exec: {trusted: [x]}, x-mcpwright: {${body}}`;
  const text = `${extensions}, parameters: [{name: x, in: query, trusted: true, schema: {type: string, trusted: [x]}}]`;
  const { manifest, tool } = operation("3.0.3", "get", text);
  assert.ok("http" in tool);
  const { inputSchema: _, ...keys } = tool;
  assert.not.match(JSON.stringify({ ...manifest, tools: [keys] }), /exec|trusted/);
});

const properties = (tool: Tool): JsonObject => tool.inputSchema["properties"] as JsonObject;

const form = (schema: string, encoding = "{}"): string =>
  `requestBody: {content: {application/x-www-form-urlencoded: {schema: ${schema}, encoding: ${encoding}}}}`;

const json = (schema: string): string =>
  `requestBody: {required: true, content: {application/json: {schema: ${schema}}}}`;

const LIST = "{type: array, items: {type: string}}";

/** Operations with places and styles of values, and a part of the imported request. */
const STYLES: readonly (readonly [
  version: string,
  method: string,
  operation: string,
  key: string,
  value: JsonObject,
])[] = [
  [
    "3.0.0",
    "get",
    `parameters: [{name: f, in: query, content: {application/json: {schema: {type: object}}}}]`,
    "query",
    { f: { from: "f", style: "json" } },
  ],
  [
    "3.0.0",
    "get",
    `parameters: [{name: X-F, in: header, content: {"*/*": {schema: {type: string}}}}]`,
    "headers",
    { "X-F": "{{X-F}}" },
  ],
  [
    "3.0.0",
    "get",
    `parameters: [{name: f, in: query, style: deepObject, explode: true, schema: ${LIST}}]`,
    "query",
    { f: { from: "f", style: "deepObject" } },
  ],
  [
    "3.0.0",
    "get",
    `parameters: [{name: X-F, in: header, required: true, schema: ${LIST}}]`,
    "headers",
    { "X-F": "{{X-F}}" },
  ],
  [
    "2.0",
    "get",
    "parameters: [{name: X-F, in: header, required: true, type: array, items: {type: string}}]",
    "headers",
    { "X-F": "{{X-F}}" },
  ],
  [
    "3.0.0",
    "post",
    form(
      `{type: object, properties: {a: {type: object}, b: ${LIST}, c: ${LIST}, d: {type: object}, e: {type: object}}}`,
      "{a: {style: deepObject, explode: true}, b: {style: form, explode: false}, e: {contentType: application/json}}",
    ),
    "form",
    {
      a: { from: "a", style: "deepObject" },
      b: { from: "b", explode: false },
      c: "{{c}}",
      d: { from: "d", style: "json" },
      e: { from: "e", style: "json" },
    },
  ],
  [
    "2.0",
    "post",
    `parameters: [{name: a, in: query, type: string}, {name: a, in: formData, type: array, items: {type: string}},
      {name: m, in: formData, type: array, items: {type: string}, collectionFormat: multi}]`,
    "form",
    { a: { from: "form_a", explode: false }, m: "{{m}}" },
  ],
];

for (const [version, method, text, key, value] of STYLES) {
  test(`OpenAPI ${version}: ${text.replace(/\s+/g, " ")}`, () => {
    const { tool, messages } = operation(version, method, text);
    assert.equal(tool.http[key], value);
    assert.equal(messages, []);
  });
}

test("required fields of a form are required arguments, even if the form is optional", () => {
  const schema = "{type: object, required: [a], properties: {a: {type: string}}}";
  const { tool } = operation("3.0.0", "post", form(schema));
  assert.equal(tool.inputSchema["required"], ["a"]);
});

test("a field of a form with an unsupported encoding is reported", () => {
  const { messages } = operation(
    "3.0.0",
    "post",
    form("{type: object, properties: {a: {type: string}}}", "{a: {contentType: text/csv}}"),
  );
  assert.match(messages[0] ?? "", "the encoding of a is left out");
});

const parts = (schema: string, encoding = "{}", more = ""): string =>
  `requestBody: {${more} content: {multipart/form-data: {schema: ${schema}, encoding: ${encoding}}}}`;

test("characters that are invalid in paths are encoded", () => {
  const { tool, messages } = imported(
    `${head("3.0.0")}paths: {"/ü/a b\\\\c": {get: {operationId: a}}}\n`,
  );
  assert.is(tool.http["path"], "/ü/a%20b%5Cc");
  assert.equal(messages, []);
});

test("a multipart form is sent without its optional files", () => {
  const three = operation(
    "3.0.0",
    "post",
    parts(
      "{type: object, required: [a], properties: {a: {type: string}, f: {type: string, format: binary}, l: {$ref: '#/files'}, i: {type: string}, o: {type: object}}}",
      "{i: {contentType: 'image/png, image/jpeg'}, o: {contentType: application/json}}",
    ),
    "files: {type: array, items: {type: string, format: binary}}",
  );
  assert.equal(three.tool.http["multipart"], { a: "{{a}}", o: { from: "o", style: "json" } });
  assert.equal(three.tool.inputSchema["required"], ["a"]);
  const files = three.messages.filter((message) => message.includes("which is a file"));
  assert.equal(
    files.map((message) => /the part "(\w)"/.exec(message)?.[1]),
    ["f", "l", "i"],
  );
  const two = operation(
    "2.0",
    "post",
    `consumes: [multipart/form-data], parameters: [{name: a, in: formData, type: string}, {name: f, in: formData, type: file}]`,
  );
  assert.equal(two.tool.http["multipart"], { a: "{{a}}" });
  assert.match(two.messages[0] ?? "", 'the part "f" is left out, which is a file');
  const other = operation(
    "2.0",
    "post",
    "consumes: [application/x-www-form-urlencoded, multipart/form-data], parameters: [{name: a, in: formData, type: string}]",
  );
  assert.equal(other.tool.http["form"], { a: "{{a}}" });
});

test("an operation that requires a file, or a body of files only, is left out", () => {
  const file = "{type: string, format: binary}";
  for (const schema of [
    `{type: object, required: [f], properties: {a: {type: string}, f: ${file}}}`,
    `{type: object, properties: {f: ${file}}}`,
  ]) {
    const text = `${head("3.0.0")}paths: {/a: {post: {operationId: a, ${parts(schema, "{}", "required: true,")}}}, /b: {get: {}}}\n`;
    assert.match(
      imported(text).messages[0] ?? "",
      "POST /a is left out: it has a part that is binary",
    );
  }
});

test("an API with several media types is asked for JSON, and the tool has its schema", () => {
  const schema = "schema: {type: object, properties: {n: {type: integer}}}";
  const three = operation(
    "3.0.0",
    "get",
    `responses: {"200": {content: {text/html: {}, application/json: {${schema}}}}}`,
  );
  const two = operation(
    "2.0",
    "get",
    `produces: [application/xml, application/json], responses: {"200": {${schema}}}`,
  );
  for (const { tool, messages } of [three, two]) {
    assert.equal(tool.http["headers"], { Accept: "application/json" });
    assert.equal(tool["outputSchema"], {
      type: "object",
      properties: { n: { type: "integer" } },
    });
    assert.equal(messages, []);
  }
});

test("answers with different statuses are alternatives of the output schema", () => {
  const answer = (type: string): string =>
    `{content: {application/json: {schema: {type: object, properties: {n: {type: ${type}}}}}}}`;
  const { tool } = operation(
    "3.0.0",
    "get",
    `responses: {"200": ${answer("integer")}, "202": ${answer("string")}}`,
  );
  assert.equal(tool["outputSchema"], {
    anyOf: ["integer", "string"].map((type) => ({
      type: "object",
      properties: { n: { type } },
    })),
  });
});

test("a body with allOf becomes one flat object, without read-only properties", () => {
  const { tool, messages } = operation(
    "3.0.0",
    "post",
    json('{allOf: [{$ref: "#/base"}, {required: [id, name]}, {properties: {b: {type: string}}}]}'),
    `base: {type: object, discriminator: {propertyName: kind}, required: [kind], properties:
      {kind: {type: string}, id: {type: integer, readOnly: true}, name: {type: string}}}`,
  );
  assert.equal(Object.keys(properties(tool)), ["kind", "name", "b"]);
  assert.equal(tool.inputSchema["required"], ["kind", "name"]);
  assert.is(tool.http["body"], undefined, "arguments go to the body by themselves");
  assert.equal(messages, []);
});

test("additionalProperties does not refuse properties of allOf beside it", () => {
  const { tool, messages } = operation(
    "3.0.0",
    "post",
    json("{additionalProperties: false, allOf: [{type: object, properties: {b: {type: string}}}]}"),
  );
  assert.equal(properties(tool), { b: { type: "string" } });
  assert.match(messages[0] ?? "", "additionalProperties: false is left out");
});

test("alternatives of a request are distinguished by their discriminator", () => {
  const { tool, manifest } = operation(
    "3.0.0",
    "post",
    json(
      `{discriminator: {propertyName: kind, mapping: {cat: "#/components/schemas/Cat"}}, oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}, {$ref: "#/components/schemas/Cow"}]}`,
    ),
    `components: {schemas: {Base: {type: object, properties: {kind: {type: string}}},
      Cat: {allOf: [{$ref: "#/components/schemas/Base"}]}, Dog: {allOf: [{$ref: "#/components/schemas/Base"}]},
      Cow: {type: object, properties: {kind: {type: string, enum: [cow]}}}}}`,
  );
  const withKind = (name: string, kind: string): JsonObject => ({
    allOf: [
      { $ref: `#/schemas/${name}` },
      { properties: { kind: { enum: [kind] } }, required: ["kind"] },
    ],
  });
  assert.equal(properties(tool)["body"], {
    oneOf: [withKind("Cat", "cat"), withKind("Dog", "Dog"), { $ref: "#/schemas/Cow" }].map(
      (schema) =>
        JSON.parse(
          JSON.stringify(schema).replace(/#\/schemas\/\w+/, (name) => `${name}Input`),
        ) as JsonObject,
    ),
  });
  assert.ok(Object.keys(manifest["schemas"] as JsonObject).includes("CatInput"));
});

test("a body that other schemas extend is not closed", () => {
  const { tool } = operation(
    "3.0.0",
    "post",
    json("{discriminator: {propertyName: kind}, properties: {kind: {type: string}}}"),
  );
  assert.equal(properties(tool)["body"], { properties: { kind: { type: "string" } } });
});

test("in OpenAPI 3.1, keywords beside a reference count", () => {
  const { tool, messages } = operation(
    "3.1.0",
    "post",
    json('{properties: {n: {$ref: "#/x", maxLength: 5, description: Own}}}'),
    "x: {type: string}\n",
  );
  assert.equal((properties(tool) as { n: JsonObject }).n, {
    description: "Own",
    allOf: [{ $ref: "#/schemas/xInput" }, { maxLength: 5 }],
  });
  assert.equal(messages, []);
});

/** Keywords that cannot be imported, and the reported reasons. */
const SAID: readonly (readonly [schema: string, message: RegExp])[] = [
  ['{properties: {a: {$dynamicRef: "#node"}}}', /\$dynamicRef is left out/],
  ["{properties: {a: {const: 9007199254740993}}}", /const is left out, .* so many digits/],
  ['{patternProperties: {"^(a+)+$": {type: string}}}', /patternProperties is left out/],
  ["{items: ".repeat(55) + "{}" + "}".repeat(55), /a schema of more than 54 levels/],
  ['{properties: {a: {$ref: "#node"}}}', /refers to #node, which is no JSON Pointer/],
];

test("keywords that a manifest cannot express are reported at their places", () => {
  for (const [schema, said] of SAID) {
    const text = `${head("3.1.0")}paths: {/good: {get: {}}, /a: {post: {${json(schema)}}}}\n`;
    assert.match(imported(text).messages.join(), said, schema);
  }
});

test("patternProperties and dependencies of properties are imported", () => {
  const schema = {
    type: "object",
    patternProperties: { "^x-": { type: "string" } },
    additionalProperties: false,
    dependentRequired: { a: ["b"] },
  };
  const { tool, messages } = operation("3.1.0", "post", json(JSON.stringify(schema)));
  assert.equal(properties(tool)["body"], schema);
  assert.equal(messages, []);
});

test("a mapping's own keys override merged keys, and the first merged key wins", () => {
  const { tool } = imported(
    `x: [&one {description: One}, &two {summary: Two, description: Two}]
${head("3.0.0")}paths: {/a: {get: {summary: Own, <<: [*one, *two]}}}\n`,
  );
  assert.is(tool["title"], "Own");
  assert.is(tool["description"], "Own. One");
});

test("a parameter that is the API key is no argument", () => {
  const { tool, messages } = operation(
    "3.0.0",
    "get",
    "security: [{k: []}], parameters: [{name: key, in: query, required: true}, {name: q, in: query}]",
    "components: {securitySchemes: {k: {type: apiKey, in: query, name: key}}}\n",
  );
  assert.equal(Object.keys(properties(tool)), ["q"]);
  assert.match(messages[0] ?? "", 'the parameter "key" is left out: the upstream');
});

test("a client certificate becomes a setting of the upstream", () => {
  const { manifest, tool } = operation(
    "3.1.0",
    "get",
    "security: [{c: []}]",
    "components: {securitySchemes: {c: {type: mutualTLS}}}\n",
  );
  const upstreams = manifest["upstreams"] as JsonObject;
  assert.equal(upstreams[String(tool.http["upstream"])], {
    baseUrl: { env: "A_URL" },
    cert: "A_C_CERT",
    key: "A_C_CERT_KEY",
  });
});

test("names of variables and projects are made from titles", () => {
  const { manifest } = imported(
    `${head("3.0.0").replace("title: A", "title: Über Büro")}paths: {/a: {get: {security: [{oauth: []}]}}}
components: {securitySchemes: {oauth: {type: oauth2, flows: {}}}}\n`,
  );
  assert.is(manifest["name"], "uber-buro");
  assert.equal(Object.keys(manifest["env"] as JsonObject), ["UBER_BURO_URL", "UBER_BURO_TOKEN"]);
});

test.run();
