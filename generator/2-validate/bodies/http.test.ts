import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { validateManifest } from "../validate.js";

/** The diagnostics of a manifest with an upstream `api`. */
function problems(items: string): Diagnostic[] {
  const start = 'name: demo\nversion: 1.0.0\nupstreams: {api: {baseUrl: "https://api.example"}}\n';
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(start + items));
  assert.ok(manifest);
  return validateManifest(manifest);
}

/** Place, code and message of each. */
function findings(items: string): string[] {
  return problems(items).map(
    ({ line, column, code, message }) => `${line}:${column} ${code} ${message}`,
  );
}

const resource = (more: string): string =>
  `resources:\n  - {name: a, uri: "a://b", description: An a, ${more}}\n`;
const template = (uriTemplate: string, more: string): string =>
  `resourceTemplates:\n  - {name: a, uriTemplate: "${uriTemplate}", description: An a, ${more}}\n`;

test("bodies of resources and templates may name the variables of the URI, and nothing else", () => {
  assert.equal(findings(resource("http: {upstream: api, path: /b}")), []);
  assert.equal(findings(template("a://{id}{?q}", 'http: {upstream: api, path: "/b/{{id}}"}')), []);
  assert.equal(findings(resource('http: {upstream: api, path: "/b/{{id}}"}')), [
    '5:80 MW2040 the resource has no argument "id"',
  ]);
  assert.equal(findings(template("a://{id}", 'http: {upstream: api, path: "/b/{{ids}}"}')), [
    '5:91 MW2040 the template has no variable "ids"; did you mean "id"?',
  ]);
});

test("an argument in another notation is reported in a path, once", () => {
  const path = (text: string): string[] =>
    findings(template("a://{id}/{n}", `http: {upstream: api, path: "${text}"}`)).map((finding) =>
      finding.replace(/^\S+ /, ""),
    );
  for (const found of [":id", "<id>", "{id}", "${id}"]) {
    const message = `MW2309 "${found}" is plain text; for the argument, write {{id}}`;
    assert.equal(path(`/b/${found}/{{n}}`), [message]);
    assert.equal(path(`/b/{{n}}/${found}`), [message]);
  }
  // Some APIs have such segments of their own: `/$value`.
  assert.equal(path("/b/{{n}}/$id"), []);
  assert.is(path("/:id".repeat(1_000)).length, 100);
  assert.equal(path("/b/{{ id }}/{{n}}"), [
    "MW2085 the path must have no spaces and no backslashes",
  ]);
  for (const text of ["/b/:ids/$x", "/b/a:id/<id>s", "/b/{{n}}:id", "/b/$id$"]) {
    assert.equal(path(text), [], text);
  }
});

test("a method may be written in small letters, and all rules of it hold", () => {
  const tool = (http: string): string =>
    `tools:\n  - {name: a, description: Does a, inputSchema: {type: object, additionalProperties: false}, http: {upstream: api, path: /b, ${http}}}\n`;
  for (const method of ["get", "head", "post", "put", "patch", "delete", "options"]) {
    assert.equal(findings(tool(`method: ${method}`)), [], method);
  }
  for (const more of [
    "method: get, body: {}",
    "method: post, paginate: {page: p}",
    "method: Posts",
  ]) {
    const [small = "", capital = ""] = [
      more,
      more.replace(/(?<=method: )\w+/, (it) => it.toUpperCase()),
    ].map((http) => findings(tool(http)).join("\n"));
    assert.match(small, /MW/);
    assert.is(small.replace("Posts", "POSTS"), capital, more);
  }
  assert.match(
    findings(tool("method: fetch")).join(),
    'must be one of "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"',
  );
});

test("a path with parameters gets the hint to write them as the query", () => {
  const hint = (path: string): string | undefined =>
    problems(template("a://{id}/{n}", `http: {upstream: api, path: '${path}'}`)).find(
      ({ code }) => code === "MW2085",
    )?.hint;
  assert.is(hint("/b?id={{id}}&page=1"), 'write query: { id: "{{id}}", page: "1" }');
  assert.is(hint("/b/{{ id }}"), "for the argument, write {{id}}");
  assert.is(hint("/a b/{{id}}"), undefined);
  for (const path of ["/b?id", "/b?", "/b#a=b", "/b c?id={{id}}#x"]) {
    assert.is(hint(path), undefined, path);
  }
});

test("variables have the types that their URI gives them", () => {
  const inPath = 'http: {upstream: api, path: "/b{{path}}"}';
  assert.equal(findings(template("a://b{/path*}", inPath)), [
    '5:95 MW2086 "path" is a list, which cannot stand in a path without a style',
  ]);
  const optional = 'http: {upstream: api, path: "/b/{{q}}"}';
  assert.equal(findings(template("a://b{?q}", optional)), [
    '5:92 MW2330 the path needs "q", which is optional: calls without it are refused',
  ]);
  const unsent = 'http: {upstream: api, path: "/b/{{id}}", query: {page: 1}}';
  assert.equal(findings(template("a://{id}{?q}", unsent)), [
    '5:63 MW2087 the request has no place for the argument "q"',
  ]);
});

test("a resource has a body or fixed content, and a body asks the client for nothing", () => {
  const http = "http: {upstream: api, path: /b}";
  assert.equal(findings(resource(`text: hello, ${http}`)), [
    "5:48 MW2026 the resource needs exactly one of http, text",
  ]);
  assert.is(
    findings(template("a://{id}", `uses: [roots], ${http}`))[0],
    '5:59 MW2084 "uses" is for handlers, and this item has a body',
  );
  assert.equal(findings(resource("http: {upstream: apy, path: /b}")), [
    '5:65 MW2082 there is no upstream "apy"; did you mean "api"?',
  ]);
});

const tool = (http: string, more = ""): string =>
  `tools:\n  - name: a\n    description: Does a.\n    inputSchema: {type: object, properties: {page: {type: integer, description: Page}}, additionalProperties: false}\n    http: {upstream: api, path: /b, ${http}}\n${more}`;

test("pages have one parameter, to which nothing else gives a value, and requests that only read", () => {
  const pages = "paginate: {page: {query: page}}";
  assert.equal(findings(tool(`query: {page: "{{page}}"}, ${pages}`)), [
    '8:45 MW2096 the pagination sets the parameter "page" already',
  ]);
  assert.equal(findings(tool(pages)), [
    '8:48 MW2096 the pagination sets the parameter "page" already',
  ]);
  const cursor = "paginate: {cursor: {query: page, from: /next}}";
  assert.equal(findings(tool(cursor)), [
    '8:48 MW2096 the pagination sets the parameter "page" already',
  ]);
  assert.equal(findings(tool('query: {from: "{{page}}"}, paginate: {page: {query: page}}')), []);
  assert.equal(findings(tool(`method: POST, body: {from: "{{page}}"}, ${pages}`)), [
    "8:77 MW2332 each page is a POST request of its own",
  ]);
});

test("`fields` is reported if the output has no objects, or requires others", () => {
  const fields = (outputSchema: string): string[] =>
    findings(tool("result: {fields: [id]}", `    outputSchema: ${outputSchema}\n`));
  const message = 'MW2089 "fields" keeps members of objects, and the outputSchema has no objects';
  assert.equal(fields("{type: string}"), [`8:46 ${message}`]);
  assert.equal(fields("{type: array, items: {type: string}}"), [`8:46 ${message}`]);
  assert.equal(fields("{type: array, items: {type: object}}"), []);
  assert.equal(fields("{type: [object, 'null']}"), []);
  assert.equal(fields("{}"), []);
});

test("a field that the outputSchema does not have is reported", () => {
  const fields = (names: string, outputSchema: string, schemas = ""): string[] =>
    findings(
      `${tool(`result: {fields: ${names}}`, `    outputSchema: ${outputSchema}\n`)}${schemas}`,
    );
  const pet = "{type: object, properties: {id: {type: integer}, title: {type: string}}}";
  const message = (name: string, hint: string): string =>
    `MW2364 "fields" keeps "${name}", which the outputSchema does not have: ${hint}`;
  assert.equal(fields("[id, title]", pet), []);
  assert.equal(fields("[id, titel]", pet), [`8:59 ${message("titel", 'did you mean "title"?')}`]);
  assert.equal(fields("[age]", `{type: array, items: ${pet}}`), [
    `8:55 ${message("age", "there are id, title")}`,
  ]);
  const shared = `schemas: {Pet: ${pet}}\n`;
  assert.equal(fields("[age]", '{$ref: "#/schemas/Pet"}', shared), [
    `8:55 ${message("age", "there are id, title")}`,
  ]);
  for (const open of [
    "{type: object}",
    "{type: object, properties: {id: {type: string}}, additionalProperties: {type: string}}",
    "{anyOf: [{type: object, properties: {age: {type: string}}}, {type: 'null'}]}",
  ]) {
    assert.equal(fields("[age]", open), [], open);
  }
});

test("a field that an answer may have is not reported", () => {
  const fields = (outputSchema: string, schemas = ""): string[] =>
    findings(
      `${tool("result: {fields: [age]}", `    outputSchema: ${outputSchema}\n`)}${schemas}`,
    ).filter((finding) => finding.includes("MW2364"));
  const cat = "type: object, properties: {id: {type: integer}}";
  const dog = "type: object, properties: {age: {type: integer}}";
  for (const open of [
    `{type: array, items: {anyOf: [{${cat}}, {${dog}}]}}`,
    `{${cat}, oneOf: [{${cat}}, {${dog}}]}`,
    `{${cat}, patternProperties: {"^a": {type: integer}}}`,
    `{${cat}, unevaluatedProperties: {type: integer}}`,
    `{${cat}, additionalProperties: true}`,
    `{${cat}, additionalProperties: {type: integer}}`,
    `{${cat}, dependentSchemas: {id: {${dog}}}}`,
    `{${cat}, if: {required: [id]}, then: {${dog}}}`,
    `{${cat}, required: [age]}`,
    `{type: array, prefixItems: [{${cat}}], items: {${dog}}}`,
    `{anyOf: [{${cat}}, {type: array, items: {${dog}}}]}`,
    `{anyOf: [{${cat}}, {type: object}]}`,
    `{type: array, items: {allOf: [{oneOf: [{${cat}}, {description: other}]}]}}`,
  ]) {
    assert.equal(fields(open), [], open);
  }
  const shared = `schemas: {Cat: {${cat}}, Dog: {${dog}}}\n`;
  const pets = '{anyOf: [{$ref: "#/schemas/Cat"}, {$ref: "#/schemas/Dog"}]}';
  assert.equal(fields(`{type: array, items: ${pets}}`, shared), []);
  for (const closed of [
    `{type: array, items: {anyOf: [{${cat}}, {${cat}}]}}`,
    `{${cat}, additionalProperties: false, unevaluatedProperties: false}`,
    `{${cat}, anyOf: [{required: [id]}, {type: object, minProperties: 2}]}`,
    `{anyOf: [{${cat}}, {type: "null"}, {type: object, additionalProperties: false}]}`,
  ]) {
    assert.match(fields(closed).join(), 'MW2364 "fields" keeps "age"', closed);
  }
});

test("`truncate` is reported beside keys that need JSON, and a styled value without a place in the path", () => {
  const cut = (more: string): string[] => findings(tool(`result: {truncate: true${more}`));
  assert.equal(cut("}"), []);
  for (const more of [", from: /a}", ", fields: [a]}", "}, paginate: {link: true}"]) {
    assert.match(cut(more)[0] ?? "", /^8:46 MW2089 an answer that is cut is no JSON, which "/);
  }
  assert.equal(findings(tool("method: HEAD")), []);
  for (const more of ["result: {from: /a}", "result: {fields: [a]}", "paginate: {link: true}"]) {
    assert.match(
      findings(tool(`method: HEAD, ${more}`))[0] ?? "",
      /^8:45 MW2089 an answer to HEAD/,
    );
  }
  assert.equal(findings(resource("http: {upstream: api, path: /b, method: HEAD}")), [
    "5:88 MW2089 an answer to HEAD has no body, which the resource needs",
  ]);
  const path = '{template: "/b/{{id}}", values: {id: {from: id, style: label}, ids: {from: id}}}';
  assert.equal(findings(template("a://{id}", `http: {upstream: api, path: ${path}}`)), [
    '5:150 MW2085 the path has no {{ids}}, which "values" describes',
  ]);
});

test("`multipart` excludes other content, a method without content and a Content-Type of its own", () => {
  const sent = 'method: POST, multipart: {a: "{{page}}"}';
  assert.equal(findings(tool(sent)), []);
  assert.equal(findings(tool('multipart: {a: "{{page}}"}')), [
    '8:37 MW2088 a GET request has no body, but "multipart" is given',
  ]);
  assert.equal(findings(tool(`${sent}, text: x`)), [
    "8:79 MW2026 a request with a body needs exactly one of body, form, multipart, text",
  ]);
  assert.equal(findings(tool(`${sent}, headers: {content-type: a/b}`)), [
    '8:89 MW2083 the header "content-type" cannot be set',
  ]);
  assert.equal(findings(tool('method: POST, multipart: {a: "{{pag}}"}')), [
    '8:67 MW2040 the tool has no argument "pag"; did you mean "page"?',
  ]);
});

test("JSON written as a text is reported where it is encoded twice, or nothing escapes its values", () => {
  const found = (content: string): (string | undefined)[] =>
    problems(tool(`method: POST, ${content}`)).map(
      ({ code, message, hint }) => `${code} ${message}: ${hint}`,
    );
  const body = "MW2334 this body is sent as one text within JSON: write it as";
  const text = 'MW2334 nothing escapes the argument "page" in this JSON: write it as';
  for (const [content, ...expected] of [
    [`body: '{"q": "{{page}}"}'`, `${body} a mapping: body: {"q": "{{page}}"}`],
    [`body: ' {"q": {{page}}} '`, `${body} a mapping: body: {"q": "{{page}}"}`],
    [`body: '["a {{page}}"]'`, `${body} a list: body: ["a {{page}}"]`],
    [`body: '{q: {{page}}}'`, `${body} a mapping under "body", without quotes around it`],
    [`text: '{"q": "{{page}}"}'`, `${text} a mapping: body: {"q": "{{page}}"}`],
    [`body: "{{page}}"`],
    [`body: "{{page}} of {9}"`],
    [`body: "[{{page}}] is a page"`],
    [`body: {q: '{"q": "{{page}}"}'}`],
    [`text: "{ pages(n: {{page}}) }"`],
    [`text: "[info] {{page}} [web]"`],
    [`text: "[[{{page}}]]"`],
    [`text: "{\\"id\\": {{page}}}\\n{\\"id\\": {{page}}}"`],
    [`text: '{"id": {{page}}}'`, `${text} a mapping: body: {"id": "{{page}}"}`],
    [`text: '{"q": 1}', query: {page: "{{page}}"}`],
  ] as const) {
    assert.equal(found(content), expected, content);
  }
});

test("settings with which an upstream cannot be reached are reported", () => {
  const upstream = (more: string): string[] => {
    const text = `name: demo\nversion: 1.0.0\nenv: {FILE: {}, TOKEN: {secret: true}, URL: {type: url, default: "http://[::1]"}}\nupstreams:\n  api: {${more}}\n`;
    const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
    assert.ok(manifest, text);
    return validateManifest(manifest).map(({ line, column, code }) => `${line}:${column} ${code}`);
  };
  const url = "baseUrl: https://api.example";
  assert.equal(upstream(`${url}, cert: FILE`), ["5:39 MW2094"]);
  assert.equal(upstream(`${url}, key: FILE`), ["5:39 MW2094"]);
  assert.equal(upstream(`${url}, cert: FILE, key: FILE, ca: FILE`), []);
  for (const host of [
    "localhost:80",
    "127.0.0.1",
    "0x7f.1",
    "10.1.2.3",
    "[::1]",
    "a.localhost",
    "168.63.129.16",
  ]) {
    assert.equal(upstream(`baseUrl: "http://${host}"`), ["5:18 MW2095"], host);
    assert.equal(upstream(`baseUrl: "http://${host}", private: true`), [], host);
    assert.equal(upstream(`mcp: {url: "http://${host}/mcp"}`), ["5:20 MW2095"], host);
    assert.equal(upstream(`mcp: {url: "http://${host}/mcp"}, private: true`), [], host);
  }
  const token = (url: string): string =>
    `${url}, auth: {clientCredentials: {tokenUrl: "http://10.0.0.1/token", clientId: a, clientSecret: {env: TOKEN}}}`;
  assert.equal(upstream(token(url)), ["5:76 MW2095"]);
  assert.equal(upstream(token(`${url}, private: true`)), []);
  assert.equal(upstream(`${url}, auth: {header: {name: Host, value: {env: TOKEN}}}`), [
    "5:61 MW2083",
  ]);
  assert.equal(upstream(`${url}, headers: {Authorization: Basic eDp5}`), ["5:64 MW2305"]);
  assert.equal(upstream(`${url}, headers: {X-Api-Key: {env: FILE}}`), ["5:66 MW2331"]);
  assert.equal(upstream(`${url}, headers: {X-Api-Key: {env: TOKEN}, X-Kind: a}`), []);
  assert.equal(upstream("baseUrl: {env: URL}"), ["5:24 MW2333"]);
  assert.equal(upstream("baseUrl: {env: URL}, private: true"), []);
  assert.equal(upstream('baseUrl: "http://8.8.8.8"'), []);
  assert.equal(upstream('baseUrl: "http://localhost.example"'), []);
});

test("a URL without which the server cannot start is in a variable that always has a value", () => {
  const findings = (variable: string, upstream: string): string[] => {
    const text = `name: demo\nversion: 1.0.0\nenv: {TOKEN: {secret: true}, URL: ${variable}}\nupstreams:\n  api: {${upstream}}\n`;
    const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
    assert.ok(manifest, text);
    return validateManifest(manifest).map(({ line, column, code }) => `${line}:${column} ${code}`);
  };
  const url = "https://api.example";
  const settings = [
    ["baseUrl: {env: URL}", 24],
    ["mcp: {url: {env: URL}}", 26],
    [
      `baseUrl: "${url}", auth: {clientCredentials: {tokenUrl: {env: URL}, clientId: a, clientSecret: {env: TOKEN}}}`,
      84,
    ],
  ] as const;
  for (const [upstream, column] of settings) {
    const found = [`5:${column} MW2097`];
    assert.equal(findings("{type: url}", upstream), found, upstream);
    assert.equal(findings("{type: url, required: false}", upstream), found, upstream);
    assert.equal(findings(`{type: url, enum: ["${url}"]}`, upstream), found, upstream);
    assert.equal(findings("{type: url, required: true}", upstream), [], upstream);
    assert.equal(findings(`{type: url, default: "${url}"}`, upstream), [], upstream);
  }
  const proxied = `baseUrl: "${url}", proxy: {env: URL}`;
  assert.equal(findings("{type: url}", proxied), []);
});

test("`strict` is reported where no output schema could be broken", () => {
  const messages = (items: string): string[] => problems(items).map(({ message }) => message);
  const strict = "http: {upstream: api, path: /b, strict: false}";
  const unsaid = (what: string) => [`"strict" says nothing here: ${what} has no outputSchema`];
  assert.equal(messages(tool("strict: true, query: {p: '{{page}}'}")), unsaid("the tool"));
  assert.equal(messages(resource(strict)), unsaid("the resource"));
  const output = "    outputSchema: {type: object}\n";
  assert.equal(messages(tool("strict: true, query: {p: '{{page}}'}", output)), []);
});

test("texts of errors may have parts of the answer, other texts may not", () => {
  const tool = (http: string): string => `tools:
  - name: a
    description: Does a
    inputSchema: {type: object, additionalProperties: false}
    http: {upstream: api, path: /b, ${http}}
`;
  const errors = (text: string): string[] => findings(tool(`errors: {"409": "${text}"}`));
  for (const text of [
    "Taken by {{body:/owner/0/na~1me}}.",
    "{{#body:/x}}{{body:/x}}{{/body:/x}}",
  ]) {
    assert.equal(errors(text), [], text);
  }
  for (const text of ["{{body:owner}}", "{{bodies:/x}}"]) {
    assert.match(errors(text)[0] ?? "", "MW2040", text);
  }
  assert.match(findings(tool('query: {q: "{{body:/x}}"}'))[0] ?? "", "MW2040");
});

test("statuses that say that there is nothing need a result that can say so", () => {
  const tool = (http: string, more = ""): string => `tools:
  - name: a
    description: Does a
    inputSchema: {type: object, additionalProperties: false}${more}
    http: {upstream: api, path: /b, ${http}}
`;
  const empty = "result: {empty: [404]}";
  const output = (schema: string): string => `\n    outputSchema: ${schema}`;
  for (const schema of ["{type: array}", '{type: [object, "null"]}', "true"]) {
    assert.equal(findings(tool(empty, output(schema))), [], schema);
  }
  assert.equal(findings(tool(empty)), []);
  assert.match(
    findings(tool(empty, output("{type: object, properties: {b: {type: string}}}")))[0] ?? "",
    "MW2089 the outputSchema accepts neither an empty list nor null",
  );
  const both = tool(`${empty}, errors: {"404": "x"}`);
  assert.match(findings(both)[0] ?? "", 'MW2089 the status 404 has a text under "errors"');
  const read = findings(resource(`http: {upstream: api, path: /b, ${empty}}`));
  assert.match(read[0] ?? "", 'MW2089 only the result of a tool can be "empty"');
});

test.run();
