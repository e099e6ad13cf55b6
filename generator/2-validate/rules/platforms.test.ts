import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

const served = (where: string, more: string): string => `
name: books
version: 1.0.0
auth: { apiKeys: { env: KEYS } }
env: { KEYS: { secret: true, required: true }, CERT: {}, KEY: {} }
deploy: { docker: false, ${where}: true }
${more}`;
const worker = (more: string): string => served("workers", more);

const http = "transports: [{ type: http, allowedHosts: [books.example.com] }]\n";

/** The diagnostics about workers and functions: where they stand, and their texts. */
function problemsOf(text: string): string[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  return [...diagnostics, ...validateManifest(manifest!)]
    .filter(({ code }) => /^MW221[0-6]$/.test(code))
    .map(({ code, line, message }) => `${code} ${line} ${message}`);
}

/** Uses what needs a process, with its programs, files and connections. */
const everything = `transports:
  - { type: http, allowedHosts: [books.example.com], sessions: memory, tls: { cert: CERT, key: KEY } }
  - { type: sse, port: 3001 }
  - { type: websocket, port: 3002 }
databases:
  shelf: { type: sqlite, file: shelf.db }
  shop: { type: postgres, url: { env: SHOP } }
upstreams:
  other: { mcp: { url: "https://mcp.example.com" } }
  local: { mcp: { command: [books-server] } }
  api:
    baseUrl: "https://api.example.com"
    proxy: { env: PROXY }
    auth: { clientCredentials: { tokenUrl: "https://idp.example/t", clientId: a, clientCertificate: { cert: CERT, key: KEY } } }
tools:
  - { name: now, description: Tells the date., exec: { command: [date] } }
  - { name: drop, description: Drops a book., confirm: Drop it? }
  - { name: count, description: Counts books., ui: { file: count.html } }
resources:
  - { uri: "books://list", name: list, file: list.txt }
resourceTemplates:
  - { uriTemplate: "books://{+path}", name: docs, directory: { root: docs } }
`;

/** Expects one problem for each of these texts, and no other. */
function expectProblems(problems: readonly string[], texts: readonly string[]): void {
  for (const text of texts) {
    assert.ok(
      problems.some((problem) => problem.includes(text)),
      `${text}\n${problems.join("\n")}`,
    );
  }
  assert.is(problems.length, texts.length, problems.join("\n"));
}

test("each setting that a worker cannot serve is reported at its place, with the reason", () => {
  expectProblems(problemsOf(worker(everything)), [
    "a worker cannot have sessions: no process stays that could keep them",
    "a worker cannot have `tls`: it listens on no address, and the platform has the certificate",
    "the transport sse: it listens on no address",
    "the transport websocket: it listens on no address",
    "the database shelf: it has no files",
    "the database shop: its connections do not outlast",
    "the MCP server other: its connections do not outlast",
    "the MCP server local: it starts no programs",
    "the proxy of api: its connections do not outlast",
    "a client certificate for the tokens of api: it has no files",
    "a body of `exec`: it starts no programs",
    "answers to `confirm`: no process stays that could keep them",
    "a resource with a `file`: it has no files",
    "a page from a file: it has no files",
    "a body of `directory`: it has no files",
  ]);
});

test("a function keeps connections, and has neither files nor programs", () => {
  const lacking = [
    "a Lambda function cannot have sessions: the platform stops it between two requests",
    "`tls`: it listens on no address, and the platform has the certificate",
    "the transport sse: it listens on no address",
    "the transport websocket: it listens on no address",
    "the database shelf: only its own code is deployed",
    "the MCP server local: no programs are deployed with it",
    "a client certificate for the tokens of api: only its own code is deployed",
    "a body of `exec`: no programs are deployed with it",
    "a resource with a `file`: only its own code is deployed",
    "a page from a file: only its own code is deployed",
    "a body of `directory`: only its own code is deployed",
  ];
  const confirm = "answers to `confirm`: the platform stops it between two requests";
  expectProblems(problemsOf(served("lambda", everything)), [...lacking, confirm]);
  const vercel = problemsOf(served("vercel", everything));
  assert.equal(
    vercel,
    problemsOf(served("lambda", everything)).map((one) => one.replace("Lambda", "Vercel")),
  );
  const shared = `scale: { redis: { env: REDIS } }\n${everything}`;
  expectProblems(problemsOf(served("lambda", shared)), lacking);
});

test("a manifest with http, bodies of http and keys in a variable has no problem", () => {
  assert.equal(
    problemsOf(
      worker(`${http}upstreams: { api: { baseUrl: "https://api.example.com" } }
tools:
  - { name: list, description: Lists books., http: { upstream: api, method: GET, path: /books } }
  - { name: count, description: Counts books., ui: auto, outputSchema: { type: object } }
`),
    ),
    [],
  );
});

test("a worker or function without the transport http, under no name or with the version of package.json is reported", () => {
  const codes = (manifest: string) => problemsOf(manifest).map((problem) => problem.slice(0, 6));
  for (const where of ["workers", "lambda", "vercel"]) {
    assert.equal(codes(served(where, "transports: [{ type: stdio }]")), ["MW2210"]);
    assert.equal(codes(served(where, "transports: [{ type: http }]")), ["MW2215"]);
    const manifest = served(where, http).replace("version: 1.0.0", "version: package.json");
    assert.equal(codes(manifest), ["MW2216"]);
  }
});

test("without a key of deploy, nothing is reported", () => {
  const manifest = worker(
    `${http}tools: [{ name: now, description: Now., exec: { command: [date] } }]`,
  );
  assert.equal(problemsOf(manifest.replace(", workers: true", "")), []);
});

test.run();
