import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { loadManifest } from "../1-load/load.js";
import { commandLinePlace } from "../model/catalogue/command-line.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import { importOpenApi } from "./import-openapi.js";
import { readDocument } from "./read-document.js";

interface Result {
  readonly manifest: JsonObject | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function imported(text: string): Result {
  const read = readDocument("api", Buffer.from(text));
  if ("problem" in read) return { manifest: undefined, diagnostics: [read.problem] };
  const { manifest, diagnostics } = importOpenApi(read.document, {
    selection: { tags: [], paths: [], methods: [], operations: [], exclude: [] },
    withOutput: true,
    recordedPath: "api",
    place: commandLinePlace(0),
  });
  return {
    manifest: manifest === undefined ? undefined : (parse(manifest) as JsonObject),
    diagnostics,
  };
}

const HEAD = "openapi: 3.0.0\ninfo: {title: A}\nservers: [{url: https://a.example}]\n";
const good = "  /good: {get: {operationId: good, responses: {}}}\n";

/** A document with one valid operation and others. @param paths the paths of the other operations */
const withGood = (paths: string, more = ""): string => `${HEAD}paths:\n${good}${paths}${more}`;

const body = (schema: string): string =>
  `  /bad: {post: {requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, responses: {}}}\n`;

/** Documents that are refused as a whole, with the problem and its line. */
const REFUSED: readonly (readonly [what: string, text: string, message: RegExp, line: number])[] = [
  ["a key twice in YAML", `${HEAD}paths:\n${good}${good}`, /has the key "\/good" twice/, 6],
  [
    "a key twice in JSON",
    '{"openapi":"3.0.0",\n"paths":{},\n"paths":{}}',
    /the key "paths" twice/,
    3,
  ],
  ["broken JSON", '{"openapi": "3.0.0",\n', /cannot be read as JSON/, 2],
  ["broken YAML", "openapi: 3.0.0\npaths: [\n", /cannot be read as YAML/, 3],
  ["deep JSON", "[".repeat(100_000), /more than 200 levels/, 1],
  ["deep YAML", `a: ${"[".repeat(100_000).replace("[", "{b: [")}`, /too deep/, 1],
  [
    "a bomb of aliases",
    `openapi: 3.0.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${Array.from(
      { length: 9 },
      (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(10)}]\n`,
    ).join("")}`,
    /repeats too much by its aliases/,
    2,
  ],
  ["an alias in itself", "openapi: 3.0.0\na: &a [*a]\n", /alias \*a inside of itself/, 2],
  ["no version", "paths: {}\n", /no version of OpenAPI/, 1],
  ["a version to come", "openapi: 4.0.0\npaths: {}\n", /no version of OpenAPI/, 1],
  ["a list of paths", `${HEAD}paths: []\n`, /has no paths/, 4],
];

for (const [what, text, message, line] of REFUSED) {
  test(`a document with ${what} is refused at its line`, () => {
    const { manifest, diagnostics } = imported(text);
    assert.is(manifest, undefined);
    assert.match(diagnostics[0]?.message ?? "", message);
    assert.is(diagnostics[0]?.line, line);
  });
}

/** Operations whose body no manifest can describe. */
const UNDESCRIBED: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  [
    "references in a circle",
    withGood(body('{$ref: "#/x/a"}'), 'x: {a: {$ref: "#/x/b"}, b: {$ref: "#/x/a"}}\n'),
    /lead in a circle \(#/,
  ],
  ["a lost reference", withGood(body('{$ref: "#/x/a"}')), /refers to #\/x\/a, which is not there/],
  [
    "a remote reference",
    withGood(body('{$ref: "https://x.example/a"}')),
    /another address; bundle/,
  ],
  [
    "a reference to a file elsewhere",
    withGood(body('{$ref: "../../etc/passwd"}')),
    /a file outside of the document's folder; bundle/,
  ],
  ["an unknown type", withGood(body("{type: bogus}")), /unknown type \("bogus"\)/],
  [
    "a huge enumeration",
    withGood(body(`{enum: [${Array.from({ length: 10_001 }, (_, index) => index).join()}]}`)),
    /more than 10,000 values/,
  ],
  ["a schema that is a text", withGood(body("hello")), /schema that is no object/],
];

for (const [what, text, message] of UNDESCRIBED) {
  test(`an operation whose body has ${what} stays and takes any value, which is reported at its line`, () => {
    const { manifest, diagnostics } = imported(text);
    assert.equal(
      diagnostics.map(({ code }) => code),
      ["MW6111"],
    );
    assert.match(diagnostics[0]?.message ?? "", message);
    assert.ok((diagnostics[0]?.line ?? 0) > 4);
    const tools = manifest?.["tools"] as JsonObject[];
    const bad = tools.find(({ name }) => name === "post_bad");
    assert.equal((bad?.["inputSchema"] as JsonObject)["properties"], { body: {} });
    assert.is(tools.length, 2);
  });
}

/** Operations that are left out. */
const LEFT_OUT: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ["a path without a slash", withGood("  bad: {get: {responses: {}}}\n"), /begins with no slash/],
  [
    "an operation that is a list",
    withGood("  /bad: {get: []}\n"),
    /is no object \(#\/paths\/~1bad\/get\)/,
  ],
  [
    "an unsafe path",
    withGood("  /bad/../x: {get: {responses: {}}}\n"),
    /must not lead to another folder/,
  ],
];

for (const [what, text, message] of LEFT_OUT) {
  test(`an operation with ${what} is left out, and the others are not`, () => {
    const { manifest, diagnostics } = imported(text);
    assert.match(diagnostics.map((found) => found.message).join("\n"), message);
    assert.ok((diagnostics[0]?.line ?? 0) > 4);
    const tools = manifest?.["tools"] as JsonObject[];
    assert.equal(
      tools.map(({ name }) => name),
      ["good"],
    );
  });
}

test("names that are code, inherited or equal become valid, distinct names of tools and arguments", () => {
  const names = ["constructor", "__proto__", "a`${b}", '"; process.exit()', "valueOf"];
  const parameters = names.map((name) => ({ name, in: "query", schema: { type: "string" } }));
  const get = (operationId: string) => ({ get: { operationId, parameters, responses: {} } });
  const paths = {
    "/a": get("toString"),
    "/b": get("do it"),
    "/c": get("do.it"),
    "/d": get("`${x}`"),
  };
  const { manifest } = imported(JSON.stringify({ openapi: "3.1.0", info: { title: "`" }, paths }));
  const tools = manifest?.["tools"] as JsonObject[];
  assert.equal(
    tools.map(({ name }) => name),
    ["get_a", "do_it_get_b", "do_it_get_c", "x"],
  );
  const { properties } = tools[0]?.["inputSchema"] as JsonObject;
  assert.equal(Object.keys(properties as object), [
    "constructor_value",
    "a_b",
    "process.exit",
    "valueOf_value",
  ]);
});

test("a parameter whose name is not Latin keeps its own name in the description", () => {
  const parameters = [
    { name: "日付", in: "query", description: "The day", schema: { type: "string" } },
    { name: "größe", in: "query", schema: { type: "integer" } },
    { name: "id", in: "query", description: "The id", schema: { type: "string" } },
  ];
  const properties = { ключ: { $ref: "#/components/schemas/K" }, ok: { type: "string" } };
  const body = { content: { "application/json": { schema: { type: "object", properties } } } };
  const { manifest } = imported(
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "A" },
      paths: { "/a": { post: { operationId: "a", parameters, requestBody: body, responses: {} } } },
      components: { schemas: { K: { type: "string", description: "A key" } } },
    }),
  );
  const [tool] = manifest?.["tools"] as JsonObject[];
  const { properties: given } = tool?.["inputSchema"] as { properties: JsonObject };
  assert.equal(
    Object.entries(given).map(([name, schema]) => [name, (schema as JsonObject)["description"]]),
    [
      ["value", "日付: The day"],
      ["gr_e", "größe"],
      ["id", "The id"],
      ["body_value", "ключ"],
      ["ok", undefined],
    ],
  );
});

test("bounds of 64 bits are written so that the manifest has no warning, and limits beyond all lengths are none", () => {
  const bounds =
    "{type: integer, format: int64, minimum: -9223372036854775808, maximum: 9223372036854775807}";
  const more = "{type: integer, exclusiveMaximum: 18446744073709551615}";
  const text = "{type: string, maxLength: 9223372036854775807}";
  const read = readDocument(
    "api",
    Buffer.from(
      withGood(body(`{type: object, properties: {a: ${bounds}, b: ${more}, c: ${text}}}`)).replace(
        "3.0.0",
        "3.1.0",
      ),
    ),
  );
  if ("problem" in read) throw new Error(read.problem.message);
  const { manifest = "", diagnostics } = importOpenApi(read.document, {
    selection: { tags: [], paths: [], methods: [], operations: [], exclude: [] },
    withOutput: true,
    recordedPath: "api",
    place: commandLinePlace(0),
  });
  assert.match(manifest, "minimum: -9223372036854775808");
  assert.match(manifest, "maximum: 9223372036854775808");
  assert.match(manifest, "exclusiveMaximum: 18446744073709551616");
  const loaded = loadManifest("mcp.yaml", Buffer.from(manifest));
  assert.equal(loaded.diagnostics, []);
  assert.equal(
    diagnostics.map(({ message }) => message.replace(/ \(.*/, "")),
    ["POST /bad: maxLength is left out, since its value is no number that it can have"],
  );
});

test("a slow or invalid pattern is left out and reported", () => {
  const slow = ["^(a+)+$", "^a{0,1000}a{0,1000}a{0,1000}b$", `${"a?".repeat(28)}b`, "^a*a*$"];
  for (const wrong of [...slow, "["]) {
    const { manifest, diagnostics } = imported(
      `${HEAD}paths: {/a: {get: {parameters: [{name: q, in: query, schema: {type: string, pattern: "${wrong}"}}]}}}\n`,
    );
    assert.is((manifest?.["tools"] as JsonObject[]).length, 1);
    assert.match(
      diagnostics[0]?.message ?? "",
      /^GET \/a: the pattern is left out, .*schema\/pattern\)$/,
    );
  }
});

test("a pattern that is quick for all texts within maxLength is imported", () => {
  const patternOf = (schema: string): unknown => {
    const { manifest } = imported(
      `${HEAD}paths: {/a: {get: {parameters: [{name: q, in: query, schema: ${schema}}]}}}\n`,
    );
    const [tool] = (manifest?.["tools"] ?? []) as { inputSchema: { properties: JsonObject } }[];
    return (tool?.inputSchema.properties["q"] as JsonObject | undefined)?.["pattern"];
  };
  assert.is(patternOf('{type: string, pattern: "^a*a*$", maxLength: 1000}'), "^a*a*$");
  assert.is(patternOf('{type: string, pattern: "^a*a*$", maxLength: 9000}'), undefined);
});

/** Parts of `GET /a`, or of another operation, that are left out, with the reasons. */
const PARTS: readonly (readonly [operation: string, said: RegExp])[] = [
  ["parameters: [{name: p, in: path, required: true}]", /"p" is left out: no part of the path/],
  ["parameters: [{name: Accept, in: header}]", /"Accept" is left out: OpenAPI says elsewhere/],
  ["parameters: [{name: q, in: query, schema: {maxLength: long}}]", /maxLength is left out/],
  [
    'parameters: [{name: q, in: query, schema: {type: object, patternProperties: {"[": {}}}}]',
    /patternProperties is left out/,
  ],
  [
    "parameters: [{name: q, in: query, schema: {type: array, items: {}, default: [1]}}]",
    /default is left out, since it is no single value/,
  ],
  ["callbacks: {done: {}}", /its callbacks are left out/],
  ["security: [{}, {lost: []}]", /without credentials, and is: it needs lost/],
  [
    "responses: {'200': {content: {text/csv: {}}}}",
    /its answer is not described: it is something else than JSON/,
  ],
  [
    "responses: {'200': {content: {application/json: {schema: {type: object}}}}, '202': {}}",
    /its answer is not described: it is not always there/,
  ],
];

test("parts that are left out are reported with the operation, and its other parts are imported", () => {
  const head = HEAD.replace("3.0.0", "3.1.0");
  for (const [operation, said] of PARTS) {
    const text = `${head}paths: {/a: {get: {${operation}}}}\nx: {type: string}\n`;
    const { manifest, diagnostics } = imported(text);
    assert.is((manifest?.["tools"] as JsonObject[]).length, 1, operation);
    const messages = diagnostics.map(({ message }) => message);
    assert.is(messages.length, 1, `${operation}: ${messages.join()}`);
    assert.match(messages[0] ?? "", said);
    assert.match(messages[0] ?? "", /^GET \/a: .* \(#\//);
  }
  const form = "{schema: {properties: {a: {type: string}}}, encoding: {a: {style: form}}}";
  const body = `requestBody: {content: {application/x-www-form-urlencoded: ${form}}}`;
  const [left] = imported(`${head}paths: {/a#b: {post: {${body}}}}\n`).diagnostics.map(
    ({ message }) => message,
  );
  assert.match(left ?? "", /behind # in the path/);
});

test("an alternative that only says nullable is null, and not everything", () => {
  const optional = "{anyOf: [{type: integer}, {nullable: true}]}";
  const alone = "{anyOf: [{nullable: true}]}";
  const one = "{oneOf: [{type: integer}, {x-nullable: true, description: none}]}";
  const schema = `{type: object, properties: {optional: ${optional}, alone: ${alone}, one: ${one}}}`;
  const { manifest, diagnostics } = imported(
    `${HEAD}paths: {/a: {post: {operationId: a,
  requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, responses: {}}}}\n`,
  );
  assert.equal(diagnostics, []);
  const [tool] = manifest?.["tools"] as JsonObject[];
  assert.equal((tool?.["inputSchema"] as JsonObject)["properties"], {
    optional: { anyOf: [{ type: "integer" }, { type: "null" }] },
    alone: { anyOf: [{}] },
    one: { oneOf: [{ type: "integer" }, { type: "null" }] },
  });
});

test("null fits one alternative of oneOf where several say nullable", () => {
  const cases = {
    beside: [
      "[{type: integer, nullable: true}, {nullable: true}]",
      [{ type: ["integer", "null"] }],
    ],
    referred: ['[{$ref: "#/s"}, {nullable: true}]', [{ $ref: "#/schemas/sInput" }]],
    enumerated: ["[{enum: [1, null]}, {nullable: true}]", [{ enum: [1, null] }]],
    inherited: [
      '[{allOf: [{$ref: "#/s"}]}, {nullable: true}]',
      [{ allOf: [{ $ref: "#/schemas/sInput" }] }],
    ],
    untyped: ["[{minimum: 1}, {nullable: true}]", [{ minimum: 1 }]],
    twice: ["[{nullable: true}, {nullable: true}]", [{}]],
    once: ["[{type: integer}, {nullable: true}]", [{ type: "integer" }, { type: "null" }]],
  } as const;
  const properties = Object.entries(cases).map(
    ([name, [schemas]]) => `${name}: {oneOf: ${schemas}}`,
  );
  const { manifest, diagnostics } = imported(
    `${HEAD}paths: {/a: {post: {operationId: a, requestBody: {required: true,
  content: {application/json: {schema: {type: object, properties: {${properties.join()}}}}}}, responses: {}}}}
s: {type: object, nullable: true, properties: {a: {type: string}}}\n`,
  );
  assert.equal(diagnostics, []);
  const [tool] = manifest?.["tools"] as JsonObject[];
  assert.equal(
    (tool?.["inputSchema"] as JsonObject)["properties"],
    Object.fromEntries(Object.entries(cases).map(([name, [, oneOf]]) => [name, { oneOf }])),
  );
});

test("schemas of OpenAPI 3.0 become JSON Schemas, one form for requests and one for answers", () => {
  const schema = `{type: object, required: [id, n], additionalProperties: false, properties: {
    id: {type: integer, readOnly: true}, n: {type: string, nullable: true, format: email},
    s: {type: number, minimum: 0, exclusiveMinimum: true, enum: [1, 1, 2]},
    m: {nullable: true, allOf: [{type: object}]}, e: {type: string, enum: [1, true, a], default: b},
    secret: {type: string, writeOnly: true}}}`;
  const { manifest, diagnostics } = imported(
    `${HEAD}paths: {/a: {post: {operationId: a,
  requestBody: {required: true, content: {application/json: {schema: {$ref: "#/s"}}}},
  responses: {"200": {content: {application/json: {schema: {$ref: "#/s"}}}}}}}}\ns: ${schema}\n`,
  );
  assert.equal(
    diagnostics.map(({ message }) => message),
    ["POST /a: default is left out, which the schema refuses (#/s/properties/e/default)"],
  );
  const [tool] = manifest?.["tools"] as JsonObject[];
  assert.equal(tool?.["inputSchema"], {
    type: "object",
    properties: {
      n: { type: ["string", "null"], format: "email" },
      s: { type: "number", exclusiveMinimum: 0, enum: [1, 2] },
      m: { anyOf: [{ allOf: [{ type: "object" }] }, { type: "null" }] },
      e: { type: "string", enum: ["1", "true", "a"] },
      secret: { type: "string" },
    },
    required: ["n"],
    additionalProperties: false,
  });
  assert.equal((manifest?.["schemas"] as JsonObject)["s"], {
    type: "object",
    required: ["id", "n"],
    properties: {
      id: { type: "integer" },
      n: { type: ["string", "null"] },
      s: { type: "number", exclusiveMinimum: 0, enum: [1, 2] },
      m: { anyOf: [{ allOf: [{ type: "object" }] }, { type: "null" }] },
      e: { type: "string", enum: ["1", "true", "a"] },
    },
  });
});

test("an enum is imported without bounds that refuse all its values", () => {
  const { manifest, diagnostics } = imported(
    withGood(body("{properties: {sex: {type: string, enum: [MALE, FEMALE], maxLength: 1}}}")),
  );
  assert.equal(diagnostics.length, 1);
  assert.match(
    diagnostics[0]?.message ?? "",
    "maxLength is left out, since enum has no value that it allows",
  );
  const [, bad] = manifest?.["tools"] as JsonObject[];
  const { properties } = bad?.["inputSchema"] as { properties: JsonObject };
  assert.equal(properties["sex"], { type: "string", enum: ["MALE", "FEMALE"] });
});

const XML_SCHEMAS = `
components:
  schemas:
    Pet:
      type: object
      xml: {namespace: "urn:p", prefix: p}
      allOf: [{$ref: "#/components/schemas/Named"}]
      properties:
        id: {type: integer, xml: {attribute: true}}
        tags: {type: array, xml: {wrapped: true}, items: {type: string, xml: {name: tag}}}
        parent: {$ref: "#/components/schemas/Pet"}
        born: {type: string, readOnly: true}
    Named: {type: object, properties: {name: {type: string}}}
`;

test("a body of XML or other text is one argument, whose description outlines the text", () => {
  const sends = (path: string, type: string, schema: string) =>
    `  /${path}: {post: {operationId: ${path}, requestBody: {required: true, description: What to add, content: {${type}: {schema: ${schema}}}}, responses: {}}}\n`;
  const { manifest, diagnostics } = imported(
    withGood(
      sends("pet", "application/xml", '{$ref: "#/components/schemas/Pet"}') +
        sends("script", "text/powershell", "{type: string, maxLength: 9}"),
      XML_SCHEMAS,
    ),
  );
  assert.equal(diagnostics, []);
  const [, pet, script] = manifest?.["tools"] as JsonObject[];
  const bodyOf = (tool: JsonObject | undefined) =>
    (tool?.["inputSchema"] as { properties: JsonObject }).properties["body"] as JsonObject;
  assert.equal(pet?.["http"], {
    upstream: "a",
    method: "POST",
    path: "/pet",
    headers: { "Content-Type": "application/xml" },
    text: "{{body}}",
  });
  const description = String(bodyOf(pet)["description"]);
  assert.match(description, /^What to add\. A text of the media type application\/xml\. It looks/);
  const outline =
    '<p:Pet xmlns:p="urn:p" id="integer"><name>string</name><tags><tag>string</tag></tags><parent id="integer">';
  assert.match(description.replaceAll('<p:parent xmlns:p="urn:p" ', "<parent "), outline);
  assert.ok(description.length <= 1_024);
  assert.equal(bodyOf(script), {
    type: "string",
    maxLength: 9,
    description: "What to add. A text of the media type text/powershell.",
  });
});

test("a schema that is too large with expanded references is imported without its largest parts", () => {
  const levels = Array.from(
    { length: 40 },
    (_, at) =>
      `  l${at}: {type: object, description: Level ${at}, properties: {a: {$ref: "#/x/l${at + 1}"}, b: {$ref: "#/x/l${at + 1}"}}}\n`,
  );
  const { manifest, diagnostics } = imported(
    withGood(
      body('{properties: {name: {type: string}, l: {$ref: "#/x/l0"}}}'),
      `x:\n${levels.join("")}  l40: {type: string}\n`,
    ),
  );
  assert.match(diagnostics[0]?.message ?? "", "largest parts of the schema are not described");
  const [, bad] = manifest?.["tools"] as JsonObject[];
  const { properties } = bad?.["inputSchema"] as { properties: JsonObject };
  const open = { type: "object", description: "Level 1" };
  assert.equal(properties, {
    name: { type: "string" },
    l: { type: "object", description: "Level 0", properties: { a: open, b: open } },
  });
});

test.run();
