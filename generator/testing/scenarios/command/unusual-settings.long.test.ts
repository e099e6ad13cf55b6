import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { testProjects } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/** The tests of a project pass on a right server, whatever the manifest says about serving it. */

const items = `
schemas:
  Page: { type: object, description: A page., properties: { size: { type: integer, default: 10, description: Its size. } } }
tools:
  - name: index
    description: Is called like the list of tools.
    inputSchema: &paged
      type: object
      properties: { page: { $ref: "#/schemas/Page" } }
  - { name: define_tool, description: Is called like what makes tools., inputSchema: *paged }
  - name: add
    description: Adds.
    inputSchema:
      type: object
      properties: { numbers: { type: array, items: { type: number }, description: The terms. } }
      required: [numbers]
    examples:
      - { name: nothing, arguments: { numbers: [] }, text: "0" }
      - { name: two terms, arguments: { numbers: [1, 2] }, text: "3" }
  - name: draw
    description: Draws.
    annotations: { readOnlyHint: true }
    uses: [roots]
    inputSchema:
      type: object
      properties:
        at: { type: object, properties: { x: { type: number } }, required: [x], description: Where. }
      required: [at]
    outputSchema: { type: object }
    examples: [{ name: right, arguments: { at: { x: 1 } }, result: {} }]
resources:
  - { uri: "odd://made", name: made, description: Made by code., subscribe: true }
  - { uri: "odd://made/elsewhere", name: elsewhere, description: Far away., enabled: true }
resourceTemplates:
  - { uriTemplate: "odd://{id}", name: any, description: Any., subscribe: true, list: code }
prompts:
  - name: greet
    description: Greets.
    messages: [{ role: user, content: { type: text, text: Hello } }]
`;

const anyTransport = `
diagnostics: { MW2058: off }
transports:
  - type: stdio
  - { type: http, sessions: memory, resumable: true, metrics: /metrics, allowedOrigins: &pages [http://attacker.example] }
  - { type: sse, allowedOrigins: *pages }
  - { type: websocket, allowedOrigins: *pages }
`;

/** A variable that has the name of a setting of the runtime. */
const hostVariable = "HOST: { required: true, description: Whose guest this is. }";

/** Items that need consent, are in groups, and are read by tools. */
const guarded = `
restrict: { groups: { env: PARTS, scopePrefix: "group:" }, readOnly: { scope: reader } }
resourceTools: true
upstreams:
  api: { baseUrl: "https://api.example.com" }
tools:
  - name: remove
    description: Removes a file.
    groups: [files]
    confirm: "Remove {{path}}{{#force}}, whatever it is ({{force}}){{/force}}?"
    aliases: [delete]
    inputSchema:
      type: object
      properties:
        path: { type: string, maxLength: 300 }
        force: { type: boolean, default: true }
        list: { type: array, items: { type: integer } }
      required: [path]
      additionalProperties: false
    examples:
      - { name: a file, arguments: { path: /tmp/a b }, text: Removed }
      - { name: odd, arguments: { path: "\\"\\u202e" }, text: Removed }
  - name: post
    description: Posts something.
    groups: [files, admin]
    confirm: Post {{what}}?
    inputSchema:
      type: object
      properties: { what: { type: string, minLength: 1 } }
      required: [what]
      additionalProperties: false
    http: { upstream: api, method: POST, path: /things, body: { what: "{{what}}" } }
    examples:
      - name: tea
        arguments: { what: tea }
        http: { status: 200, body: { id: 1 } }
        text: '{"id":1}'
  - name: rename
    description: Renames.
    groups: [admin]
    confirm: Rename it?
    enabled: false
    elicitations:
      name:
        message: Which name?
        requestedSchema: { type: object, properties: { name: { type: string, minLength: 1 } }, required: [name] }
  - name: look
    description: Looks.
    groups: [files]
    annotations: { readOnlyHint: true }
resources:
  - { uri: "odd://stated", name: stated, description: Stated., groups: [files], text: A text }
  - { uri: "odd://made", name: made, description: Made by code., groups: [admin], enabled: true }
resourceTemplates:
  - { uriTemplate: "odd://{id}", name: any, description: Any., groups: [admin], list: code }
`;

/** Projects by their names: what the manifest says about serving, and its items. */
type Projects = Readonly<Record<string, readonly [settings: string, described: string]>>;

const VARIABLE_LIMITS = `
env:
  ${hostVariable}
  RATE: { type: number, description: x, required: true }
  TIME: { type: number, description: x, required: true }
  DEPTH: { type: number, description: x, default: 1 }
  LENGTH: { type: number, description: x }
limits:
  depth: { env: DEPTH }
  elements: { env: DEPTH }
  uriLength: { env: LENGTH }
  subscriptions: { env: LENGTH }
  timeoutMs: { env: TIME }
  concurrency: { env: TIME }
  ratePerSecond: { env: RATE }
  sessions: { env: RATE }
`;
const SEARCH = "exposure: { list: [add, draw], search: true }\npageSize: 2\n";
const PAGES_AND_EXTENSIONS = `pageSize: 2
extensions: { com.example/streams: { "max-streams": 4, note: 'a"b' } }
`;

/** Settings that do not depend on each other are together in a project. */
const together: Projects = {
  // The lowest limits, allowed origins and a variable called HOST.
  "lowest-limits": [
    `${anyTransport}
env: { ${hostVariable} }
limits:
  depth: 1
  elements: 1
  uriLength: 10
  subscriptions: 0
  timeoutMs: 1
  concurrency: 1
  bodyBytes: 100
  ratePerSecond: 0.01
  sessions: 1
  sessionIdleMs: 1
  connections: 1
  headersTimeoutMs: 1
  bodyTimeoutMs: 1
`,
    items,
  ],
  // Limits from variables, and consent, groups, extensions and tools for resources beside a search in pages of two.
  "guarded-items-and-search": [
    `${anyTransport}
${PAGES_AND_EXTENSIONS}
exposure: { list: [remove], search: true }
${VARIABLE_LIMITS}
`,
    guarded,
  ],
  // No tools but those for resources.
  "no-own-tools": [
    `
transports: [{ type: stdio }]
resourceTools: true
`,
    `
resources:
  - { uri: "odd://stated", name: stated, description: Stated., text: A text }
`,
  ],
};

/** The same settings, each without the others. */
const apart: Projects = {
  "searched-tools": [`${anyTransport}\nenv: { ${hostVariable} }\n${SEARCH}`, items],
  "limits-of-variables": [`${anyTransport}\n${SEARCH}\n${VARIABLE_LIMITS}`, items],
  "guarded-items": [`${anyTransport}\n${PAGES_AND_EXTENSIONS}`, guarded],
};

test("projects of unusual settings pass their tests", async () => {
  const parent = await mkdtemp(join(tmpdir(), "mcpwright-unusual-"));
  try {
    const folders: string[] = [];
    const projects = { ...together, ...apart };
    for (const [name, [settings, described]] of Object.entries(projects)) {
      const folder = join(parent, name);
      folders.push(folder);
      await mkdir(folder);
      const manifest = `name: odd\nversion: 1.0.0\n${settings}${described}`;
      await writeFile(join(folder, "mcp.yaml"), manifest);
      const { status, out, err } = await mcpwright(folder, "generate");
      assert.is(status, 0, `${name}: ${out}${err}`);
      await installShared(folder);
    }
    await testProjects(folders);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});

test.run();
