import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** Findings of a manifest with an upstream `api`. */
function findings(items: string): string[] {
  const start = 'name: demo\nversion: 1.0.0\nupstreams: {api: {baseUrl: "https://api.example"}}\n';
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(start + items));
  assert.ok(manifest);
  return validateManifest(manifest).map(
    ({ line, column, code, message }) => `${line}:${column} ${code} ${message}`,
  );
}

const resource = (more: string): string =>
  `resources:\n  - {name: a, uri: "a://b", description: An a, ${more}}\n`;
const template = (uriTemplate: string, more: string): string =>
  `resourceTemplates:\n  - {name: a, uriTemplate: "${uriTemplate}", description: An a, ${more}}\n`;

test("bodies of what can be read may name the variables of its URI, and nothing else", () => {
  assert.equal(findings(resource("http: {upstream: api, path: /b}")), []);
  assert.equal(findings(template("a://{id}{?q}", 'http: {upstream: api, path: "/b/{{id}}"}')), []);
  assert.equal(findings(resource('http: {upstream: api, path: "/b/{{id}}"}')), [
    '5:80 MW2040 the resource has no argument "id"',
  ]);
  assert.equal(findings(template("a://{id}", 'http: {upstream: api, path: "/b/{{ids}}"}')), [
    '5:91 MW2040 the template has no variable "ids"; did you mean "id"?',
  ]);
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

test.run();
