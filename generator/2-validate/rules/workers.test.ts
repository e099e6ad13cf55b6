import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

const worker = (more: string): string => `
name: books
version: 1.0.0
auth: { apiKeys: { env: KEYS } }
env: { KEYS: { secret: true, required: true } }
deploy: { docker: false, workers: true }
${more}`;

const http = "transports: [{ type: http, allowedHosts: [books.example.com] }]\n";

/** The diagnostics about workers: where they stand, and their texts. */
function problemsOf(text: string): string[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  return [...diagnostics, ...validateManifest(manifest!)]
    .filter(({ code }) => /^MW221[0-6]$/.test(code))
    .map(({ code, line, message }) => `${code} ${line} ${message}`);
}

test("what a worker has not is named where it stands, with the reason", () => {
  const has = (what: string) => (problem: string) => problem.includes(what);
  const problems = problemsOf(
    worker(`transports:
  - { type: http, allowedHosts: [books.example.com], sessions: memory }
  - { type: sse, port: 3001 }
  - { type: websocket, port: 3002 }
databases: { shelf: { type: sqlite, file: shelf.db } }
upstreams:
  other: { mcp: { url: "https://mcp.example.com" } }
  api: { baseUrl: "https://api.example.com", proxy: { env: PROXY } }
tools:
  - { name: now, description: Tells the date., exec: { command: [date] } }
  - { name: drop, description: Drops a book., confirm: Drop it? }
resources:
  - { uri: "books://list", name: list, file: list.txt }
resourceTemplates:
  - { uriTemplate: "books://{+path}", name: docs, directory: { root: docs } }
`),
  );
  for (const what of [
    "sessions: no process stays that could keep them",
    "the transport sse: it listens on no address",
    "the transport websocket: it listens on no address",
    "the database shelf: its connections do not outlast",
    "the MCP server other: its connections do not outlast",
    "the proxy of api: its connections do not outlast",
    "a body of `exec`: it starts no programs",
    "answers to `confirm`: no process stays that could keep them",
    "a resource with a `file`: it has no files",
    "a body of `directory`: it has no files",
  ]) {
    assert.ok(problems.some(has(what)), `${what}\n${problems.join("\n")}`);
  }
  assert.is(problems.length, 10, problems.join("\n"));
});

test("a manifest with http, bodies of http and keys in a variable has no problem", () => {
  assert.equal(
    problemsOf(
      worker(`${http}upstreams: { api: { baseUrl: "https://api.example.com" } }
tools:
  - { name: list, description: Lists books., http: { upstream: api, method: GET, path: /books } }
`),
    ),
    [],
  );
});

test("a worker without the transport http, under no name or with the version of package.json is reported", () => {
  const codes = (manifest: string) => problemsOf(manifest).map((problem) => problem.slice(0, 6));
  assert.equal(codes(worker("transports: [{ type: stdio }]")), ["MW2210"]);
  assert.equal(codes(worker("transports: [{ type: http }]")), ["MW2215"]);
  assert.equal(codes(worker(http).replace("version: 1.0.0", "version: package.json")), ["MW2216"]);
});

test("without deploy.workers, nothing is reported", () => {
  const manifest = worker(
    `${http}tools: [{ name: now, description: Now., exec: { command: [date] } }]`,
  );
  assert.equal(problemsOf(manifest.replace(", workers: true", "")), []);
});

test.run();
