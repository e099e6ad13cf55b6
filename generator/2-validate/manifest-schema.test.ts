import { Ajv2020 } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { everyHostileManifest } from "../testing/harness/random/hostile-manifests.js";
import { manifestSchema, type SchemaNode } from "./manifest-schema.js";
import { checkStructure } from "./structure.js";

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  validateFormats: false,
});
ajv.addKeyword("patternErrorMessage");
const isValid = ajv.compile(manifestSchema());

/** Keys whose values AJV checks, and the schema rules check here. */
const EMBEDDED = /\/(?:inputSchema|outputSchema|requestedSchema)(?:\/|$)|^\/schemas\/[^/]+/;

function ajvProblems({ value }: LoadedManifest): string[] {
  if (isValid(value)) return [];
  return (isValid.errors ?? [])
    .filter(({ instancePath }) => !EMBEDDED.test(instancePath))
    .map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const load = (content: string | Uint8Array): LoadedManifest | undefined =>
  loadManifest("mcp.yaml", Buffer.from(content as string)).manifest;

/** The checks of text formats are stricter than the schema's patterns. */
const isOfStructure = (code: string): boolean => /^MW12/.test(code);

function checkAgreement(name: string, manifest: LoadedManifest): void {
  const found = checkStructure(manifest);
  const expected = ajvProblems(manifest);
  const text = `${name}\n${expected.join("\n")}\n${found.map(({ message }) => message).join("\n")}`;
  if (expected.length > 0) assert.ok(found.length > 0, text);
  else
    assert.equal(
      found.filter(({ code }) => isOfStructure(code)),
      [],
      text,
    );
}

const HEADER = { name: "demo", version: "1.0.0" };
const TOOL = { name: "a", description: "x" };
const RESOURCE = { uri: "demo://a", name: "a" };

/** Manifests around the edges of the structure, right and wrong. */
const MANIFESTS: readonly unknown[] = [
  {},
  HEADER,
  { ...HEADER, "x-own": 1, tools: [] },
  { ...HEADER, X: 1 },
  { ...HEADER, name: "Demo" },
  { ...HEADER, version: 1.1 },
  { ...HEADER, manifestVersion: "1" },
  { ...HEADER, author: "Ada", repository: { url: "https://a.example" } },
  { ...HEADER, author: { email: "a@b.c" } },
  { ...HEADER, author: 7, repository: [] },
  {
    ...HEADER,
    transports: [
      { type: "http", port: 0, cors: true },
      { type: "custom", name: "x" },
    ],
  },
  { ...HEADER, transports: [{ type: "custom" }] },
  { ...HEADER, transports: [{ type: "stdio", port: 1 }] },
  { ...HEADER, transports: [{ port: 1 }] },
  { ...HEADER, transports: ["stdio"] },
  { ...HEADER, transports: [{ type: "http", port: 1.5 }] },
  { ...HEADER, transports: [{ type: "http", port: -1, path: "mcp", host: "a b" }] },
  { ...HEADER, transports: [{ type: "http", tls: { key: "KEY", cert: "CERT" }, trustProxy: 1 }] },
  { ...HEADER, env: { A: null, B: { default: 1, enum: [1, "a"] } } },
  { ...HEADER, env: { "A-B": {} } },
  { ...HEADER, env: { A: { default: [] } } },
  { ...HEADER, env: { A: { enum: [] } } },
  { ...HEADER, tools: [TOOL, { ...TOOL, uses: ["sampling"], renamedFrom: ["b"] }] },
  { ...HEADER, tools: [{ ...TOOL, uses: ["elicitation"] }] },
  { ...HEADER, tools: [{ ...TOOL, annotations: { readOnlyHint: "yes" } }] },
  { ...HEADER, tools: [{ ...TOOL, content: [{ type: "text" }] }] },
  { ...HEADER, tools: [{ ...TOOL, content: [{ type: "video" }] }] },
  { ...HEADER, tools: [{ ...TOOL, content: [{ text: "x" }] }] },
  { ...HEADER, tools: [{ ...TOOL, content: [{ type: "resource_link", uri: "a:b", name: "x" }] }] },
  { ...HEADER, tools: [{ ...TOOL, timeoutMs: 0 }] },
  { ...HEADER, tools: [{ ...TOOL, elicitations: { ok: { message: "Go?" } } }] },
  { ...HEADER, tools: [{ ...TOOL, elicitations: { ok: {} } }] },
  { ...HEADER, tools: { a: TOOL } },
  { ...HEADER, resources: [{ ...RESOURCE, annotations: { priority: 2, audience: ["model"] } }] },
  { ...HEADER, resources: [{ ...RESOURCE, annotations: { lastModified: "yesterday" } }] },
  { ...HEADER, resources: [{ ...RESOURCE, size: -1 }] },
  { ...HEADER, resources: [{ uri: `demo://${"a".repeat(2050)}`, name: "a" }] },
  {
    ...HEADER,
    resourceTemplates: [{ uriTemplate: "a://{b}", name: "a", complete: { b: "code" } }],
  },
  { ...HEADER, resourceTemplates: [{ uriTemplate: "a://{b}", name: "a", complete: { b: "cod" } }] },
  { ...HEADER, resourceTemplates: [{ uriTemplate: "a://{b}", name: "a", list: true }] },
  { ...HEADER, prompts: [{ name: "p", arguments: [{ name: "a", complete: ["x"] }] }] },
  { ...HEADER, prompts: [{ name: "p", arguments: [{ name: "a", complete: [1] }] }] },
  { ...HEADER, prompts: [{ name: "p", messages: [{ role: "user" }] }] },
  { ...HEADER, prompts: [{ name: "", messages: [] }] },
  { ...HEADER, prompts: [{ name: "p".repeat(129) }] },
  { ...HEADER, diagnostics: { MW2301: "off", toolBudget: 0 } },
  { ...HEADER, diagnostics: { MW2301: "none" } },
  { ...HEADER, diagnostics: { MW23: "off" } },
  { ...HEADER, limits: { ratePerSecond: 0 } },
  { ...HEADER, limits: { ratePerSecond: 0.5, sessions: 0 } },
  { ...HEADER, cache: { ttlMs: 0, cacheScope: "shared" } },
  { ...HEADER, protocol: { legacy: "reject" }, schemaRefs: "inline", pageSize: 1 },
];

test("AJV and the structure check accept the same manifests", () => {
  MANIFESTS.forEach((value, index) => {
    const manifest = load(JSON.stringify(value));
    if (manifest === undefined) throw new Error(`manifest ${index} does not load`);
    checkAgreement(JSON.stringify(value), manifest);
  });
});

test("AJV and the structure check accept the same hostile manifests", () => {
  for (const { id, content } of everyHostileManifest()) {
    const manifest = content.length < 100_000 ? load(content) : undefined;
    if (manifest !== undefined) checkAgreement(id, manifest);
  }
});

function* nodesOf(node: SchemaNode, path: string): Generator<[string, SchemaNode]> {
  yield [path, node];
  for (const [key, child] of Object.entries(node.$defs ?? {}))
    yield* nodesOf(child, `${path}/${key}`);
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    yield* nodesOf(child, `${path}.${key}`);
  }
}

test("every field has a description", () => {
  const silent = [...nodesOf(manifestSchema(), "")]
    .filter(([, { description, $ref }]) => description === undefined && $ref === undefined)
    .map(([path]) => path);
  assert.equal(silent, []);
});

test("every mapping with fixed keys allows no other keys except x- keys", () => {
  const open = [...nodesOf(manifestSchema(), "")]
    .filter(([, { properties }]) => properties !== undefined)
    .filter(([, node]) => node.additionalProperties !== false || !node.patternProperties?.["^x-"])
    .map(([path]) => path);
  assert.equal(open, []);
});

test.run();
