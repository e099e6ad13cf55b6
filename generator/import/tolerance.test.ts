import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { commandLinePlace } from "../model/catalogue/command-line.js";
import type { JsonObject } from "../model/json.js";
import { importOpenApi } from "./import-openapi.js";
import { readDocument } from "./read-document.js";

/** A part of an operation that a manifest cannot say costs that part, and not the operation. */

interface Result {
  readonly tools: readonly JsonObject[];
  readonly schemas: JsonObject;
  readonly codes: readonly string[];
  readonly said: string;
}

function imported(text: string): Result {
  const read = readDocument("api", Buffer.from(text));
  if ("problem" in read) throw new Error(read.problem.message);
  const { manifest = "", diagnostics } = importOpenApi(read.document, {
    selection: { tags: [], paths: [], methods: [], operations: [], exclude: [] },
    withOutput: true,
    recordedPath: "api",
    place: commandLinePlace(0),
  });
  const { tools = [], schemas = {} } = (parse(manifest) ?? {}) as Partial<Result>;
  return {
    tools,
    schemas,
    codes: [...new Set(diagnostics.map(({ code }) => code))],
    said: diagnostics.map(({ message }) => message).join("\n"),
  };
}

const HEAD = "openapi: 3.1.0\ninfo: {title: A}\nservers: [{url: https://a.example}]\n";

/** A document whose operation sends and answers a schema. */
const both = (schemas: string, name = "A"): string => `${HEAD}paths:
  /a:
    post:
      operationId: a
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/${name}"}}}}
      responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/${name}"}}}}}
components: {schemas: {${schemas}}}
`;

/** A document whose operation takes one argument in its query. */
const query = (schema: string, more = ""): string =>
  `${HEAD}paths: {/a: {get: {operationId: a, parameters: [{name: q, in: query, ${more} schema: ${schema}}], responses: {}}}}\n`;

/** A document whose operation takes one property in its body. */
const property = (schema: string, required = "[]", more = "required: true,"): string =>
  `${HEAD}paths: {/a: {post: {operationId: a, requestBody: {${more} content: {application/json: {schema: {type: object, required: ${required}, properties: {q: ${schema}, r: {type: string}}}}}}, responses: {}}}}\n`;

const argument = ({ tools: [tool] }: Result, name = "q") =>
  ((tool?.["inputSchema"] as JsonObject)["properties"] as JsonObject)[name];

/** Schemas whose references never end, with the texts of what becomes of the first of them. */
const CYCLES: readonly (readonly [what: string, schemas: string, A: RegExp])[] = [
  [
    "a subtype that has its base in allOf",
    'A: {type: object, properties: {k: {type: string}}, oneOf: [{$ref: "#/components/schemas/B"}]}, B: {allOf: [{$ref: "#/components/schemas/A"}, {properties: {b: {type: string}}}]}',
    /oneOf|anyOf/,
  ],
  [
    "a subtype that has its base in anyOf of its base",
    'A: {type: object, anyOf: [{$ref: "#/components/schemas/B"}, {type: object}]}, B: {allOf: [{$ref: "#/components/schemas/A"}]}',
    /anyOf/,
  ],
  [
    "a base between both",
    'A: {type: object, oneOf: [{$ref: "#/components/schemas/C"}]}, B: {allOf: [{$ref: "#/components/schemas/A"}, {properties: {m: {type: string}}}]}, C: {allOf: [{$ref: "#/components/schemas/B"}]}',
    /"#\/schemas\/C"/,
  ],
  [
    "alternatives within the allOf of the base",
    'A: {allOf: [{type: object, oneOf: [{$ref: "#/components/schemas/B"}]}]}, B: {allOf: [{$ref: "#/components/schemas/A"}, {properties: {b: {type: string}}}]}',
    /allOf/,
  ],
  [
    "keywords beside the reference to the base",
    'A: {type: object, oneOf: [{$ref: "#/components/schemas/B"}]}, B: {$ref: "#/components/schemas/A", properties: {b: {type: string}}}',
    /"#\/schemas\/B"/,
  ],
  [
    "a schema in its own allOf",
    'A: {type: object, properties: {a: {type: string}}, allOf: [{$ref: "#/components/schemas/A"}]}',
    /"a":\{"type":"string"\}\}/,
  ],
  [
    "two schemas in the allOf of each other",
    'A: {type: object, allOf: [{$ref: "#/components/schemas/B"}]}, B: {properties: {b: {type: string}}, allOf: [{$ref: "#/components/schemas/A"}]}',
    /"type":"object"/,
  ],
  [
    "a schema among its own alternatives",
    'A: {type: object, oneOf: [{$ref: "#/components/schemas/A"}, {properties: {a: {type: string}}}]}',
    /"a":\{"type":"string"\}/,
  ],
  [
    "another name of the schema among its alternatives",
    'A: {type: object, anyOf: [{$ref: "#/components/schemas/B"}, {properties: {a: {type: string}}}]}, B: {$ref: "#/components/schemas/A"}',
    /"a":\{"type":"string"\}/,
  ],
];

for (const [what, schemas, kept] of CYCLES) {
  test(`an operation whose schema has ${what} is imported, for requests and answers`, () => {
    const result = imported(both(schemas));
    assert.equal(result.codes, ["MW6111"], result.said);
    const [tool] = result.tools;
    assert.ok(tool?.["outputSchema"] !== undefined, result.said);
    assert.match(JSON.stringify([tool, result.schemas]), kept);
  });
}

test("a subtype has its base without the alternatives, and its own properties", () => {
  const { schemas, tools } = imported(both(CYCLES[0]?.[1] ?? ""));
  assert.equal(schemas["B"], {
    allOf: [{ $ref: "#/schemas/ABase" }, { properties: { b: { type: "string" } } }],
  });
  assert.equal(schemas["ABase"], { type: "object", properties: { k: { type: "string" } } });
  assert.equal((tools[0]?.["inputSchema"] as JsonObject)["required"], ["body"]);
});

test("a HEAD operation is imported whatever the document says of its answer", () => {
  const answer = '{"200": {content: {application/json: {schema: {type: object}}}}}';
  const { tools, codes, said } = imported(
    `${HEAD}paths: {/a: {head: {operationId: a, responses: ${answer}}}}\n`,
  );
  assert.is(tools.length, 1);
  assert.is(tools[0]?.["outputSchema"], undefined);
  assert.equal(codes, ["MW6111"]);
  assert.match(said, "HEAD /a: its answer is not described: it answers HEAD, without content (#");
});

/** Defaults that their schemas refuse. */
const DEFAULTS = [
  "{type: integer, default: many}",
  "{type: string, enum: [a], default: b}",
  "{enum: [a], default: b}",
  "{const: a, default: b}",
  "{type: string, format: date, default: soon}",
  "{type: string, maxLength: 2, default: long}",
  "{allOf: [{type: string, enum: [a]}], default: b}",
  "{anyOf: [{type: integer}, {type: boolean}], default: b}",
  "{oneOf: [{type: number}, {type: integer}], default: 1}",
  "{not: {const: b}, default: b}",
  '{allOf: [{$ref: "#/x"}], default: b}',
  '{$ref: "#/x", default: b}',
  "{type: [string, integer], minimum: 2, default: 1}",
];

for (const schema of DEFAULTS) {
  test(`a default is left out of ${schema}, and nothing else`, () => {
    for (const text of [query(schema), property(schema)]) {
      const result = imported(`${text}x: {type: string, enum: [a]}\n`);
      assert.is(result.tools.length, 1, result.said);
      assert.equal(result.codes, ["MW6111"], result.said);
      assert.match(result.said, /default is left out/);
      assert.not.match(JSON.stringify([result.tools, result.schemas]), '"default"');
    }
  });
}

test("a default in a shared schema is left out of it, for all that refer to it", () => {
  const inside = "type: object, properties: {p: {allOf: [{type: string, enum: [a]}], default: b}}";
  const result = imported(
    both(`A: {type: object, properties: {s: {$ref: "#/components/schemas/S"}}}, S: {${inside}}`),
  );
  assert.is(result.tools.length, 1, result.said);
  assert.match(result.said, "properties.p.default is left out");
  assert.match(JSON.stringify(result), '"p":{"allOf":[{"type":"string","enum":["a"]}]}');
});

/** Schemas of answers that no manifest can say. */
const ANSWERS = [
  "{type: bogus}",
  "{type: string, format: binary}",
  '{$ref: "#/lost"}',
  '{$ref: "#/x/loop"}',
  "{type: object, properties: {a: 1}}",
  "{type: object, properties: {__proto__: {type: string}}}",
];

test("an operation is imported without its output schema if only that cannot be imported", () => {
  for (const schema of ANSWERS) {
    const result = imported(
      `${HEAD}paths: {/a: {get: {operationId: a, responses: {"200": {content: {application/json: {schema: ${schema}}}}}}}}\nx: {loop: {$ref: "#/x/loop"}}\n`,
    );
    assert.is(result.tools.length, 1, `${schema} ${result.said}`);
    assert.equal(result.codes, ["MW6111"], schema);
  }
});

/** Schemas within others that cannot be described, with the reason. */
const UNDESCRIBED: readonly (readonly [schema: string, reason: RegExp])[] = [
  ["{type: bogus}", /unknown type/],
  ['{$ref: "#/lost"}', /refers to #\/lost, which is not there/],
  ['{$ref: "https://x.example/a"}', /another address/],
  ['{$ref: "#/x/loop"}', /lead in a circle/],
  ["hello", /schema that is no object/],
  ["{type: array, items: {type: bogus}}", /unknown type/],
  ["{allOf: [{type: bogus}, {type: string}]}", /unknown type/],
];

test("a schema within another one that cannot be described accepts everything", () => {
  for (const [schema, reason] of UNDESCRIBED) {
    for (const required of ["[]", "[q]"]) {
      const result = imported(`${property(schema, required)}x: {loop: {$ref: "#/x/loop"}}\n`);
      assert.is(result.tools.length, 1, `${schema} ${result.said}`);
      assert.equal(result.codes, ["MW6111"], result.said);
      assert.match(result.said, reason);
      assert.ok(argument(result) !== undefined, schema);
    }
  }
  const described = imported(property("{type: bogus, description: What it is}"));
  assert.equal(argument(described), { description: "What it is" });
});

test("an optional parameter or property that cannot be sent is left out, and a required one costs the operation", () => {
  for (const schema of ["{type: string, format: binary}", "{type: array, items: {type: file}}"]) {
    const optional = imported(property(schema));
    assert.is(argument(optional), undefined);
    assert.equal(argument(optional, "r"), { type: "string" });
    assert.match(optional.said, 'the optional property "q" is left out, which has a part that is');
    assert.is(imported(property(schema, "[q]")).tools.length, 0);
  }
  const binary = "{type: string, format: binary}";
  const parameter = imported(query(binary));
  assert.is(parameter.tools.length, 1);
  assert.match(
    parameter.said,
    'the optional parameter "q" is left out: it has a part that is binary',
  );
  assert.is(imported(query(binary, "required: true,")).tools.length, 0);
});

test("a parameter whose schema cannot be described is taken for a text, wherever it is sent", () => {
  for (const schema of ["{type: bogus}", '{$ref: "#/lost"}', "{items: {}, type: 1}", "5"]) {
    for (const more of ["", "required: true,"]) {
      const result = imported(query(schema, more));
      assert.equal(argument(result), { type: "string" }, `${schema} ${result.said}`);
      assert.equal(result.codes, ["MW6111"], result.said);
      assert.match(result.said, 'the parameter "q" is taken for a text: it ');
    }
  }
  const lost = (place: string): string => query('{$ref: "#/lost"}').replace("in: query", place);
  const inPath = imported(lost("in: path, required: true").replaceAll("/a:", '"/a/{q}":'));
  assert.equal(argument(inPath), { type: "string", minLength: 1 }, inPath.said);
  for (const place of ["header", "cookie"]) {
    assert.equal(argument(imported(lost(`in: ${place}, required: true`))), { type: "string" });
  }
  const json = imported(
    `${HEAD}paths: {/a: {get: {operationId: a, parameters: [{name: q, in: query, content: {application/json: {schema: {$ref: "#/lost"}}}}], responses: {}}}}\n`,
  );
  assert.equal(argument(json), {});
  assert.match(json.said, 'the parameter "q" takes any value: it refers to #/lost');
});

/** What stands in a list of parameters and is none, with what is said of it. */
const NO_PARAMETERS: readonly (readonly [parameter: string, reason: RegExp])[] = [
  ['{$ref: "#/components/parameters/Lost"}', /refers to #\/components\/parameters\/Lost, which/],
  ['{$ref: "other.yaml#/p"}', /a file outside of the document's folder/],
  ['{$ref: "#/x/loop"}', /lead in a circle/],
  ["{in: query, schema: {type: string}}", /has no name, or no place/],
  ["{name: p, in: matrix, schema: {type: string}}", /has no name, or no place/],
  ["5", /should be an object/],
];

test("an invalid parameter is left out, and the others stay", () => {
  for (const [parameter, reason] of NO_PARAMETERS) {
    const list = `[${parameter}, {name: q, in: query, schema: {type: string}}]`;
    for (const document of [
      `paths: {/a: {get: {operationId: a, parameters: ${list}, responses: {}}}}`,
      `paths: {/a: {parameters: ${list}, get: {operationId: a, responses: {}}}}`,
    ]) {
      const result = imported(`${HEAD}${document}\nx: {loop: {$ref: "#/x/loop"}}\n`);
      assert.equal(argument(result), { type: "string" }, result.said);
      assert.equal(result.codes, ["MW6111"], result.said);
      assert.match(result.said, /GET \/a: a parameter is left out: it /);
      assert.match(result.said, reason);
    }
  }
  const noList = imported(
    `${HEAD}paths: {/a: {get: {operationId: a, parameters: {a: 1}, responses: {}}}}\n`,
  );
  assert.is(noList.tools.length, 1);
  assert.match(noList.said, "its parameters are left out, which are no list");
  const inPath = imported(
    `${HEAD}paths: {"/a/{id}": {get: {operationId: a, parameters: [{$ref: "#/lost"}], responses: {}}}}\n`,
  );
  assert.equal(argument(inPath, "id"), { type: "string", minLength: 1 });
});

/** Bodies that no request can send. */
const UNSENDABLE = [
  "application/octet-stream: {schema: {type: string, format: binary}}",
  "image/png: {}",
  "multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}}}}",
  "multipart/form-data: {schema: {type: object, required: [f], properties: {n: {type: string}, f: {type: string, format: binary}}}}",
  "application/json: {schema: {type: object, required: [f], properties: {n: {type: string}, f: {type: string, format: binary}}}}",
  "application/x-www-form-urlencoded: {schema: {type: object, additionalProperties: {type: string}}}",
  'multipart/form-data: {schema: {$ref: "#/lost"}}',
];

test("an optional body that cannot be sent is left out with its arguments, and a required one costs the operation", () => {
  const document = (content: string, more: string): string =>
    `${HEAD}paths: {/a: {post: {operationId: a, parameters: [{name: n, in: query, schema: {type: integer}}], requestBody: {${more} content: {${content}}}, responses: {}}}}\n`;
  for (const content of UNSENDABLE) {
    for (const more of ["", "required: false,"]) {
      const { tools, codes, said } = imported(document(content, more));
      assert.is(tools.length, 1, `${content} ${said}`);
      const { properties } = tools[0]?.["inputSchema"] as JsonObject;
      assert.equal(properties, { n: { type: "integer" } }, content);
      assert.equal((tools[0]?.["http"] as JsonObject)["query"], { n: "{{n}}" });
      assert.equal(codes, ["MW6111"], said);
      assert.match(said, "POST /a: the optional body is left out: it ");
    }
    assert.is(imported(document(content, "required: true,")).tools.length, 0, content);
  }
  for (const body of ['{$ref: "#/components/requestBodies/Lost"}', "5"]) {
    const lost = imported(
      `${HEAD}paths: {/a: {post: {operationId: a, requestBody: ${body}, responses: {}}}}\n`,
    );
    assert.is(lost.tools.length, 1, lost.said);
    assert.match(lost.said, "the optional body is left out");
  }
});

test("a PUT or PATCH keeps its optional body, or is left out where that cannot be sent: without it, it would clear what it changes", () => {
  const document = (method: string, body: string): string =>
    `${HEAD}paths: {/a: {${method}: {operationId: a, requestBody: ${body}, responses: {}}}}\n`;
  for (const method of ["put", "patch"]) {
    for (const content of UNSENDABLE.filter((one) => !one.includes("#/lost"))) {
      const { tools, codes, said } = imported(document(method, `{content: {${content}}}`));
      assert.equal([tools.length, ...codes.slice(0, 1)], [0, "MW6110"], content);
      assert.match(said, `a ${method.toUpperCase()} without its body changes something else`);
    }
    for (const body of ['{$ref: "#/components/requestBodies/Lost"}', "5"]) {
      const lost = imported(document(method, body));
      assert.equal(lost.codes, ["MW6111"], lost.said);
      assert.equal(lost.tools[0]?.["inputSchema"], {
        ...{ type: "object", properties: { body: {} } },
        ...{ required: ["body"], additionalProperties: false },
      });
      assert.match(lost.said, "the body is required, and takes any JSON value: it ");
      assert.is((lost.tools[0]?.["http"] as JsonObject)["body"], "{{body}}");
    }
    const members = "{type: object, properties: {q: {type: string}}}";
    const kept = imported(document(method, `{content: {application/json: {schema: ${members}}}}`));
    assert.equal([argument(kept), kept.codes], [{ type: "string" }, []]);
  }
});

test("a required body whose schema cannot be described takes any value", () => {
  for (const schema of ['{$ref: "#/lost"}', "{type: bogus}", "hello"]) {
    const result = imported(
      `${HEAD}paths: {/a: {post: {operationId: a, requestBody: {required: true, content: {application/json: {schema: ${schema}}}}, responses: {}}}}\n`,
    );
    assert.equal(argument(result, "body"), {}, `${schema} ${result.said}`);
    assert.equal(result.codes, ["MW6111"]);
  }
});

test("in OpenAPI 2.0, optional files, fields and bodies that cannot be sent are left out", () => {
  const document = (parameters: string, consumes = ""): string =>
    `swagger: "2.0"\ninfo: {title: A}\nhost: a.example\nschemes: [https]\npaths: {/a: {post: {operationId: a, ${consumes} parameters: [${parameters}], responses: {}}}}\n`;
  const tabs = (more = ""): string =>
    `{name: f, in: formData, type: array, items: {type: string}, collectionFormat: tsv${more}}`;
  const file = (more = ""): string => `{name: f, in: formData, type: file${more}}`;
  const form = "consumes: [multipart/form-data],";
  const needed = ", required: true";
  for (const [optional, required, consumes] of [
    [file(), file(needed), form],
    [`${tabs()}, {name: n, in: formData, type: string}`, tabs(needed), ""],
    [
      "{name: b, in: body, schema: {}}",
      `{name: b, in: body, schema: {}${needed}}`,
      "consumes: [image/png],",
    ],
  ] as const) {
    const result = imported(document(optional, consumes));
    assert.is(result.tools.length, 1, `${optional} ${result.said}`);
    assert.equal(result.codes, ["MW6111"], result.said);
    assert.match(result.said, "is left out");
    assert.is(imported(document(required, consumes)).tools.length, 0, required);
  }
  const lost = imported(document('{$ref: "#/parameters/lost"}'));
  assert.is(lost.tools.length, 1, lost.said);
});

test.run();
