import type { MendEdit } from "../../../model/mend.js";

/** A mistake with its fix. Manifests begin with a name and a version where the lines have none. */
export interface FixCase {
  readonly code: string;
  readonly edit: MendEdit;
  readonly before: string;
  readonly after: string;
}

const fixCase = (code: string, edit: MendEdit, before: string, after: string): FixCase => ({
  code,
  edit,
  before: `${before}\n`,
  after: `${after}\n`,
});

/** One tool whose inputSchema has these lines. */
const schema = (lines: string): string =>
  `tools:\n  - name: a\n    description: x\n    inputSchema:\n      ${lines.replaceAll("\n", "\n      ")}`;

/** One tool with these keys, in one line. */
const tool = (keys: string): string => `tools:\n  - { name: find, description: x, ${keys} }`;

const input = "inputSchema: {type: object, properties: {city: {type: string}}}";

/** One tool that asks with this schema. */
const form = (keys: string): string =>
  tool(`elicitations: {confirm: {message: Sure?, requestedSchema: {type: object, ${keys}}}}`);

/** What is mended, by the code of the finding. At least one for each code that has a fix. */
export const FIX_CASES: readonly FixCase[] = [
  // The text
  fixCase("MW1007", "escape character", 'title: "a\u001bb"', 'title: "a\\u001bb"'),
  fixCase("MW1008", "double backslash", 'title: "a \\d b"', 'title: "a \\\\d b"'),
  fixCase("MW1008", "quote line", "title: @home and away", 'title: "@home and away"'),
  fixCase("MW1008", "quote line", "title: A title: more", 'title: "A title: more"'),
  fixCase("MW1008", "quote line", "title: {{name}} is it", 'title: "{{name}} is it"'),
  fixCase("MW1008", "quote line", "title: {{name}}{{b}}", 'title: "{{name}}{{b}}"'),
  fixCase("MW1008", "quote line", "title: [Beta] It", 'title: "[Beta] It"'),
  fixCase("MW1008", "quote line", "title: 'It's a tool'", `title: "It's a tool"`),
  fixCase("MW1008", "quote line", 'title: "It" is a tool', `title: '"It" is a tool'`),
  fixCase(
    "MW1008",
    "quote line",
    "tools: [{ name: a, title: is/{{b}}/c, description: x }]",
    'tools: [{ name: a, title: "is/{{b}}/c", description: x }]',
  ),
  fixCase(
    "MW1008",
    "quote line",
    "tools: [{ name: a, title: a://{b}, description: x }]",
    'tools: [{ name: a, title: "a://{b}", description: x }]',
  ),
  fixCase("MW1008", "replace part", "title: 'a',\nlicense: MIT", "title: 'a'\nlicense: MIT"),
  fixCase("MW1008", "replace part", "title: a\n// b\nlicense: MIT", "title: a\n# b\nlicense: MIT"),
  fixCase("MW1008", "replace part", 'title: "a" // b', 'title: "a" # b'),
  fixCase("MW1008", "replace part", "keywords: [a] // b", "keywords: [a] # b"),
  fixCase(
    "MW1008",
    "indent with spaces",
    "tools:\n\t- name: a\n\t\tdescription: x",
    "tools:\n  - name: a\n    description: x",
  ),
  fixCase(
    "MW1008",
    "replace part",
    "tools:\n  -name: a\n    description: x",
    "tools:\n  - name: a\n    description: x",
  ),
  fixCase("MW1008", "replace part", "title: a\ndescription:text", "title: a\ndescription: text"),
  fixCase("MW1012", "quote tagged", "title: !!str 404", 'title: "404"'),
  fixCase(
    "MW1014",
    "remove entry",
    "title: one\nlicense: MIT\ntitle: one",
    "title: one\nlicense: MIT",
  ),
  fixCase(
    "MW1014",
    "remove entry",
    "env: {A: {secret: true, secret: true}}",
    "env: {A: {secret: true}}",
  ),
  fixCase(
    "MW1015",
    "quote key",
    schema("type: object\nproperties: {1.50: {type: string}}"),
    schema('type: object\nproperties: {"1.50": {type: string}}'),
  ),
  fixCase("MW1016", "quote", "title: {{city}}", 'title: "{{city}}"'),
  fixCase("MW1018", "quote", "title: *star", 'title: "*star"'),
  fixCase(
    "MW1026",
    "use spaces",
    "tools:\n  - name: a\n\u00a0   description: x\n\u00a0   title:\u00a0y\u00a0z",
    "tools:\n  - name: a\n    description: x\n    title: y\u00a0z",
  ),

  // The manifest's own keys and values
  fixCase("MW1201", "quote", "title: 404", 'title: "404"'),
  fixCase("MW1201", "quote", "title: true # really", 'title: "true" # really'),
  fixCase("MW1201", "unquote", 'telemetry: "Yes"', "telemetry: true"),
  fixCase("MW1201", "unquote", 'limits: { timeoutMs: "500" }', "limits: { timeoutMs: 500 }"),
  fixCase("MW1201", "put into list", "keywords: weather", "keywords: [weather]"),
  fixCase("MW1201", "split into list", "keywords: weather, rain", "keywords: [weather, rain]"),
  fixCase(
    "MW1201",
    "put into list",
    "tools:\n  # first\n  name: a\n  description: |\n    One\n\n    two.",
    "tools:\n  # first\n  - name: a\n    description: |\n      One\n\n      two.",
  ),
  fixCase(
    "MW1201",
    "take out of list",
    "tools:\n  - name: a\n    description: x\n    annotations:\n      - readOnlyHint: true\n        title: y",
    "tools:\n  - name: a\n    description: x\n    annotations:\n        readOnlyHint: true\n        title: y",
  ),
  fixCase(
    "MW1201",
    "put into mapping",
    "transports: [stdio, http]",
    "transports: [{type: stdio}, {type: http}]",
  ),
  fixCase("MW1202", "set value", "version: 1.10", 'version: "1.10.0"'),
  fixCase(
    "MW1203",
    "rename key",
    tool("input_schema: {type: object}"),
    tool("inputSchema: {type: object}"),
  ),
  fixCase(
    "MW1203",
    "rename key",
    tool('"desription": y').replace("description: x, ", ""),
    tool('"description": y').replace("description: x, ", ""),
  ),
  fixCase(
    "MW1204",
    "add key",
    "exposure: {list: [find]}\ntools: [{name: find, description: x}, {name: get, description: y}]",
    "exposure: {list: [find], search: true}\ntools: [{name: find, description: x}, {name: get, description: y}]",
  ),
  fixCase("MW1205", "set text", "schemaRefs: Inline", "schemaRefs: inline"),
  fixCase("MW1205", "set text", "transports: [{type: 'sdtio'}]", "transports: [{type: 'stdio'}]"),
  fixCase("MW1211", "unquote", 'manifestVersion: "1"', "manifestVersion: 1"),

  // Names, references between items, URLs
  fixCase(
    "MW2001",
    "set text",
    'tools: [{name: "get forecast", description: x}]',
    'tools: [{name: "get_forecast", description: x}]',
  ),
  fixCase("MW2007", "set text", "name: My-Server", "name: my-server"),
  fixCase("MW2008", "set text", 'version: "v1.2"', 'version: "1.2.0"'),
  fixCase(
    "MW2022",
    "set text",
    'resources: [{uri: "HTTPS://example.com/a", name: home, text: x}]',
    'resources: [{uri: "https://example.com/a", name: home, text: x}]',
  ),
  fixCase(
    "MW2027",
    "set text",
    'resources: [{uri: "a://b", name: home, blob: _-8}]',
    'resources: [{uri: "a://b", name: home, blob: /+8=}]',
  ),
  fixCase(
    "MW2028",
    "set text",
    "resources: [{uri: \"a://b\", name: home, file: 'docs\\a.md'}]",
    "resources: [{uri: \"a://b\", name: home, file: 'docs/a.md'}]",
  ),
  fixCase(
    "MW2029",
    "put into mapping",
    'env: {BASE_URL: {type: url, required: true}}\nupstreams: {api: {baseUrl: "${BASE_URL}"}}',
    "env: {BASE_URL: {type: url, required: true}}\nupstreams: {api: {baseUrl: {env: BASE_URL}}}",
  ),
  fixCase(
    "MW2305",
    "put into mapping",
    "env: {KEY: {required: true, secret: true}}\nupstreams: {api: {baseUrl: 'https://a.example', auth: {bearer: \"${KEY}\"}}}",
    "env: {KEY: {required: true, secret: true}}\nupstreams: {api: {baseUrl: 'https://a.example', auth: {bearer: {env: KEY}}}}",
  ),
  fixCase(
    "MW1206",
    "set text",
    `upstreams: {api: {baseUrl: 'https://a.example'}}\n${tool("http: {upstream: api, path: /a, result: {from: $.data.items}}")}`,
    `upstreams: {api: {baseUrl: 'https://a.example'}}\n${tool("http: {upstream: api, path: /a, result: {from: /data/items}}")}`,
  ),
  fixCase(
    "MW2030",
    "replace part",
    'resourceTemplates: [{uriTemplate: "day://{{day}}/x", name: days}]',
    'resourceTemplates: [{uriTemplate: "day://{day}/x", name: days}]',
  ),
  fixCase(
    "MW2035",
    "rename key",
    'resourceTemplates: [{uriTemplate: "day://{place}", name: days, complete: {plce: [a]}}]',
    'resourceTemplates: [{uriTemplate: "day://{place}", name: days, complete: {place: [a]}}]',
  ),
  fixCase(
    "MW2040",
    "replace part",
    "prompts: [{name: plan, arguments: [{name: town}], messages: [{role: user, content: {type: text, text: 'In {{twon}}'}}]}]",
    "prompts: [{name: plan, arguments: [{name: town}], messages: [{role: user, content: {type: text, text: 'In {{town}}'}}]}]",
  ),
  fixCase(
    "MW2053",
    "set text",
    'transports: [{type: http, allowedOrigins: ["https://App.example.com/"]}]',
    'transports: [{type: http, allowedOrigins: ["https://app.example.com"]}]',
  ),
  fixCase(
    "MW2055",
    "add key",
    "transports:\n  - type: http # web\n    resumable: true",
    "transports:\n  - type: http # web\n    sessions: memory\n    resumable: true",
  ),
  fixCase(
    "MW2055",
    "add key",
    "transports: [{type: http, resumable: true}]",
    "transports: [{type: http, sessions: memory, resumable: true}]",
  ),
  fixCase(
    "MW2080",
    "set text",
    "env: {BASE_URL: {type: url, required: true}}\nupstreams: {api: {baseUrl: {env: BASE_ULR}}}",
    "env: {BASE_URL: {type: url, required: true}}\nupstreams: {api: {baseUrl: {env: BASE_URL}}}",
  ),
  fixCase(
    "MW2082",
    "set text",
    `upstreams: {weather: {baseUrl: "https://a.example"}}\n${tool("http: {upstream: wether, path: /}")}`,
    `upstreams: {weather: {baseUrl: "https://a.example"}}\n${tool("http: {upstream: weather, path: /}")}`,
  ),
  fixCase(
    "MW2085",
    "set text",
    `upstreams: {api: {baseUrl: "https://a.example"}}\n${tool("http: {upstream: api, path: things}")}`,
    `upstreams: {api: {baseUrl: "https://a.example"}}\n${tool("http: {upstream: api, path: /things}")}`,
  ),
  fixCase(
    "MW2102",
    "put into mapping",
    'env: {ISSUER: {type: url, required: true}}\ntransports: [{type: http}]\nauth: {resource: "https://a.example", jwt: [{issuer: "${ISSUER}"}]}',
    'env: {ISSUER: {type: url, required: true}}\ntransports: [{type: http}]\nauth: {resource: "https://a.example", jwt: [{issuer: {env: ISSUER}}]}',
  ),
  fixCase(
    "MW2106",
    "set text",
    "transports: [{type: http}]\nenv: {API_KEYS: {secret: true}}\nauth: {apiKeys: {env: API_KEYS}}\ncache: {ttlMs: 60000, cacheScope: public}",
    "transports: [{type: http}]\nenv: {API_KEYS: {secret: true}}\nauth: {apiKeys: {env: API_KEYS}}\ncache: {ttlMs: 60000, cacheScope: private}",
  ),
  fixCase(
    "MW2110",
    "set text",
    `databases: {orders: {sqlite: orders.db}}\n${tool('sql: {database: ordres, query: "SELECT 1"}')}`,
    `databases: {orders: {sqlite: orders.db}}\n${tool('sql: {database: orders, query: "SELECT 1"}')}`,
  ),
  fixCase(
    "MW2113",
    "replace part",
    `databases: {orders: {sqlite: orders.db}}\n${tool(`${input}, sql: {database: orders, query: "SELECT :ctiy"}`)}`,
    `databases: {orders: {sqlite: orders.db}}\n${tool(`${input}, sql: {database: orders, query: "SELECT :city"}`)}`,
  ),
  fixCase(
    "MW2130",
    "set text",
    "exposure: {list: [get_ordr], search: true}\ntools: [{name: get_order, description: x}, {name: find, description: y}]",
    "exposure: {list: [get_order], search: true}\ntools: [{name: get_order, description: x}, {name: find, description: y}]",
  ),
  fixCase(
    "MW2153",
    "set text",
    tool(`${input}, exec: {command: [cat, --, "{{city}}"], trusted: [ctiy]}`),
    tool(`${input}, exec: {command: [cat, --, "{{city}}"], trusted: [city]}`),
  ),
  fixCase(
    "MW2240",
    "set text",
    "tools:\n  - { name: old, description: x, deprecated: { use: new_tol } }\n  - { name: new_tool, description: y }",
    "tools:\n  - { name: old, description: x, deprecated: { use: new_tool } }\n  - { name: new_tool, description: y }",
  ),

  // JSON Schemas
  fixCase(
    "MW3001",
    "put into mapping",
    schema("type: object\nproperties:\n  city: string"),
    schema("type: object\nproperties:\n  city: {type: string}"),
  ),
  fixCase(
    "MW3001",
    "unquote",
    schema("type: object\nadditionalProperties: no # none"),
    schema("type: object\nadditionalProperties: false # none"),
  ),
  fixCase(
    "MW3002",
    "add key",
    schema("properties:\n  city: {type: string}"),
    schema("properties:\n  city: {type: string}\ntype: object"),
  ),
  fixCase(
    "MW3003",
    "rename key",
    schema("type: object\nproperties:\n  city: {type: string, max_length: 9}"),
    schema("type: object\nproperties:\n  city: {type: string, maxLength: 9}"),
  ),
  fixCase(
    "MW3003",
    "rename key",
    schema("type: object\nproperties:\n  days: {type: integer, min: 1}"),
    schema("type: object\nproperties:\n  days: {type: integer, minimum: 1}"),
  ),
  fixCase(
    "MW3006",
    "unquote",
    schema('type: object\nproperties:\n  days: {type: integer, minimum: "1"}'),
    schema("type: object\nproperties:\n  days: {type: integer, minimum: 1}"),
  ),
  fixCase(
    "MW3006",
    "put into list",
    schema("type: object\nproperties:\n  city: {type: string}\nrequired: city"),
    schema("type: object\nproperties:\n  city: {type: string}\nrequired: [city]"),
  ),
  fixCase(
    "MW3006",
    "quote",
    schema("type: object\nproperties:\n  city: {type: string, description: 12}"),
    schema('type: object\nproperties:\n  city: {type: string, description: "12"}'),
  ),
  fixCase(
    "MW3007",
    "set text",
    schema("type: object\nproperties:\n  city: {type: String}"),
    schema("type: object\nproperties:\n  city: {type: string}"),
  ),
  fixCase(
    "MW3007",
    "set text",
    schema("type: object\nproperties:\n  on: {type: bool}"),
    schema("type: object\nproperties:\n  on: {type: boolean}"),
  ),
  fixCase(
    "MW3008",
    "set text",
    tool('inputSchema: {$schema: "http://json-schema.org/draft-04/schema#", type: object}'),
    tool('inputSchema: {$schema: "https://json-schema.org/draft/2020-12/schema", type: object}'),
  ),
  fixCase(
    "MW3010",
    "set text",
    `schemas: {City: {type: string}}\n${schema('type: object\nproperties:\n  city: {$ref: "shared.yaml#/City"}')}`,
    `schemas: {City: {type: string}}\n${schema('type: object\nproperties:\n  city: {$ref: "#/schemas/City"}')}`,
  ),
  fixCase(
    "MW3011",
    "set text",
    `schemas: {City: {type: string}}\n${schema('type: object\nproperties:\n  city: {$ref: "#/schemas/Citty"}')}`,
    `schemas: {City: {type: string}}\n${schema('type: object\nproperties:\n  city: {$ref: "#/schemas/City"}')}`,
  ),
  fixCase(
    "MW3012",
    "set text",
    schema(
      'type: object\nproperties: {rate: {$ref: "#/$defs/100%"}}\n$defs: {100%: {type: number}}',
    ),
    schema(
      'type: object\nproperties: {rate: {$ref: "#/$defs/100%25"}}\n$defs: {100%: {type: number}}',
    ),
  ),
  fixCase(
    "MW3022",
    "remove item",
    schema(
      "type: object\nproperties:\n  unit:\n    enum:\n      - metric\n      - imperial\n      - 'metric'",
    ),
    schema("type: object\nproperties:\n  unit:\n    enum:\n      - metric\n      - imperial"),
  ),
  fixCase(
    "MW3022",
    "remove item",
    schema("type: object\nproperties: {a: {}, b: {}}\nrequired: [a, b, a]"),
    schema("type: object\nproperties: {a: {}, b: {}}\nrequired: [a, b]"),
  ),
  fixCase(
    "MW3025",
    "set text",
    schema(
      "type: object\nproperties: {place: {type: string}}\nrequired: [palce]\nadditionalProperties: false",
    ),
    schema(
      "type: object\nproperties: {place: {type: string}}\nrequired: [place]\nadditionalProperties: false",
    ),
  ),
  fixCase(
    "MW3073",
    "set text",
    form("properties: {when: {type: string, format: date_time}}"),
    form("properties: {when: {type: string, format: date-time}}"),
  ),
  fixCase(
    "MW3075",
    "set text",
    form("properties: {place: {type: string}}, required: [plcae]"),
    form("properties: {place: {type: string}}, required: [place]"),
  ),
];
