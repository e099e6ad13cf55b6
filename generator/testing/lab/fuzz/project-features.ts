/** Features of manifests, as YAML: each is a part of a manifest. `files` are texts by their paths. */

/** Items of each kind, one or two for each way to write one. */
export const ITEM_FEATURES = `
stub: { tools: [{ name: stub, description: Does a thing., inputSchema: &input { type: object, properties: { a: { type: string, maxLength: 100, description: A text }, n: { type: integer, minimum: 1, default: 2, description: A number } }, required: [a], additionalProperties: false } }] }
stub with a result:
  tools: [{ name: count, description: Counts., annotations: { readOnlyHint: true }, outputSchema: &number { type: object, properties: { n: { type: integer } }, required: [n] }, examples: [{ name: one, result: { n: 1 } }] }]
summary: { tools: [{ name: sum, description: Sums., outputSchema: *number, result: { text: summary } }] }
list as a result: { tools: [{ name: names, description: Lists names., outputSchema: { type: array, items: { type: string } } }] }
fixed content: { tools: [{ name: greet, description: Greets., inputSchema: *input, content: [{ type: text, text: "Hello {{a}}" }] }] }
alias: { tools: [{ name: named, description: Has two names., aliases: [nickname], inputSchema: *input }] }
deprecated: { tools: [{ name: old, description: Is old., deprecated: { since: 1.0.0 } }] }
switched off:
  tools: [{ name: later, description: Comes later., enabled: false }]
  resources: [{ uri: "a://later", name: later, description: Comes later., enabled: false }]
  prompts: [{ name: later, description: Comes later., enabled: false, messages: [{ role: user, content: { type: text, text: Hi } }] }]
confirmed: { tools: [{ name: drop, description: Drops., confirm: "Drop {{a}}?", annotations: { destructiveHint: true }, inputSchema: *input }] }
questions:
  tools:
    - name: ask
      description: Asks.
      elicitations:
        which: { message: "Which {{kind}}?", requestedSchema: { type: object, properties: { name: { type: string, minLength: 1 } }, required: [name] } }
        page: { message: Open it, url: "https://example.com/{{id}}" }
model and roots: { tools: [{ name: think, description: Thinks., uses: [sampling, roots] }] }
task: { tools: [{ name: work, description: Works., task: true, inputSchema: *input }] }
only as a task: { tools: [{ name: toil, description: Toils., task: { required: true } }] }
page of a tool:
  files: { ui/page.html: "<!doctype html><title>p</title><p>x</p>" }
  tools: [{ name: show, description: Shows., ui: { file: ui/page.html }, outputSchema: *number }]
request:
  env: &token { API_TOKEN: { required: true, secret: true, description: A token } }
  upstreams: &api { api: { baseUrl: "https://api.example.com", auth: { bearer: { env: API_TOKEN } } } }
  tools: [{ name: get_thing, description: Gets., inputSchema: *input, http: { upstream: api, path: "/things/{{a}}", query: { n: "{{n}}" } } }]
request of pages:
  env: *token
  upstreams: *api
  tools: [{ name: list_things, description: Lists., outputSchema: { type: array, items: { type: object } }, http: { upstream: api, path: /things, result: { from: /items }, paginate: { page: { query: page } } } }]
request that changes:
  env: *token
  upstreams: *api
  tools: [{ name: post_thing, description: Posts., inputSchema: *input, http: { upstream: api, method: POST, path: /things, body: { a: "{{a}}", n: "{{n}}" } }, examples: [{ name: one, arguments: { a: tea }, http: { status: 201, body: { id: 1 } }, text: '{"id":1}' }] }]
requested resources:
  env: *token
  upstreams: *api
  resources: [{ uri: "a://news", name: news, description: News., mimeType: application/json, http: { upstream: api, path: /news } }]
  resourceTemplates: [{ uriTemplate: "a://things/{id}", name: thing, description: A thing., http: { upstream: api, path: "/things/{{id}}" } }]
program: { tools: [{ name: run, description: Runs., inputSchema: { type: object, properties: { n: { type: integer, minimum: 1, maximum: 9, default: 1, description: A number } }, additionalProperties: false }, exec: { command: [head, "--lines={{n}}", /etc/hosts], output: lines } }] }
other server:
  upstreams: { far: { mcp: { url: "https://far.example.com/mcp" } } }
  tools: [{ name: pass_on, description: Passes on., inputSchema: *input, mcp: { upstream: far, name: other } }]
  resources: [{ uri: "a://far", name: far, description: Is far., mcp: { upstream: far } }]
other program:
  upstreams: { near: { mcp: { command: [node, near.js] } } }
  tools: [{ name: pass_near, description: Passes on., mcp: { upstream: near } }]
  prompts: [{ name: near, description: Is near., mcp: { upstream: near } }]
stated resources:
  files: { notes.txt: "Buy milk.\\n" }
  resources:
    - { uri: "a://text", name: text, description: A text., text: hi, cache: { ttlMs: 1000, cacheScope: public } }
    - { uri: "a://blob", name: blob, description: Bytes., blob: AQID, mimeType: image/png }
    - { uri: "a://file", name: file, description: A file., file: notes.txt }
made resource: { resources: [{ uri: "a://status", name: status, description: The status., subscribe: true }] }
template: { resourceTemplates: [{ uriTemplate: "a://x/{id}/{rev}", name: x, description: Has values., complete: { id: ["1", "2"], rev: code }, subscribe: true }] }
template with instances: { resourceTemplates: [{ uriTemplate: "a://y/{id}", name: y, description: Has instances., list: code }] }
template with a query: { resourceTemplates: [{ uriTemplate: "a://q{?a,b}", name: q, description: Has a query. }] }
folder:
  files: { docs/a.md: "# A\\n", docs/b/c.txt: "c\\n" }
  resourceTemplates: [{ uriTemplate: "docs://{+path}", name: docs, description: Files., directory: { root: docs } }]
watched folder:
  files: { news/a.md: "# A\\n" }
  resourceTemplates: [{ uriTemplate: "news://{+path}", name: news_files, description: Files., subscribe: true, directory: { root: news, watch: true } }]
skills:
  files: { skills/one/SKILL.md: "---\\nname: one\\ndescription: One.\\n---\\nText\\n" }
  skills: [{ root: skills }]
prompt:
  prompts:
    - name: travel
      description: Plans a trip.
      arguments: [{ name: city, description: A city, required: true, complete: [Oslo, Rome] }, { name: day, description: A day, complete: code }]
      messages: [{ role: user, content: { type: text, text: "To {{city}}{{#day}} on {{day}}{{/day}}" } }]
made prompt: { prompts: [{ name: make, description: Makes., arguments: [{ name: what, description: What }] }] }
`;

/** What a manifest says about serving. */
export const SERVER_FEATURES = `
stdio: { transports: [{ type: stdio }] }
http: { transports: [{ type: http }] }
sessions: { transports: [{ type: http, sessions: memory }] }
resumable sessions: { transports: [{ type: http, sessions: memory, resumable: true, metrics: /metrics, health: /up, ready: /ready }] }
server-sent events: { transports: [{ type: sse }] }
websocket: { transports: [{ type: websocket }] }
own transport: { transports: [{ type: stdio }, { type: custom, name: pipe }] }
no older clients: { protocol: { legacy: reject } }
page: { transports: [{ type: http }], page: true }
card: { transports: [{ type: http }], card: { name: com.example/random } }
groups:
  env: { PARTS: { description: Which parts }, READS: { type: boolean, description: Whether it only reads } }
  restrict: { groups: { env: PARTS }, readOnly: { env: READS } }
  each: { groups: [part] }
keys:
  env: { KEYS: { required: true, secret: true, description: Keys of callers } }
  auth: { apiKeys: { env: KEYS } }
  transports: [{ type: http }]
scopes:
  auth: { resource: "https://mcp.example.com/mcp", jwt: [{ issuer: "https://auth.example.com" }] }
  transports: [{ type: http }]
  each: { scopes: [use] }
filtered lists:
  auth: { resource: "https://mcp.example.com/mcp", jwt: [{ issuer: "https://auth.example.com" }], lists: filter }
  transports: [{ type: http }]
  each: { scopes: [use] }
audit: { audit: {} }
telemetry: { telemetry: true }
small pages: { pageSize: 2 }
cache: { cache: { ttlMs: 5000, cacheScope: public } }
search: { exposure: search, tools: [{ name: found, description: Is found. }] }
tools for resources: { resourceTools: true, resources: [{ uri: "a://read", name: read, description: Is read., text: hi }] }
limits: { limits: { depth: 3, elements: 5, uriLength: 60, timeoutMs: 500, concurrency: 2 } }
low rate: { limits: { ratePerSecond: 1 } }
extension: { extensions: { com.example/x: { a: 1 } } }
redis: { env: { REDIS_URL: { type: url, secret: true, description: Redis } }, scale: { redis: { env: REDIS_URL } } }
variables: { env: { REGION: { description: A region, enum: [eu, us], default: eu }, COUNT: { type: number, description: A count, required: true } } }
words: { instructions: Use it well., title: Random, websiteUrl: "https://example.com", icons: [{ src: "https://example.com/i.png" }] }
package:
  transports: [{ type: stdio }]
  license: MIT
  author: { name: A }
  repository: { url: "https://github.com/me/random" }
  package: { registry: { name: io.github.acme/weather }, mcpb: true, clients: true, github: true }
`;
