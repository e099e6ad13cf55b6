import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { loadManifest } from "../../../1-load/load.js";
import { validateManifest } from "../../../2-validate/validate.js";
import type { JsonObject } from "../../../model/json.js";
import { generate } from "../../harness/projects/emitted-project.js";
import { MemoryProject } from "../../harness/projects/memory-project.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/**
 * Every form of body that the manifest's language takes compiles, as generated code and as a person's own once the
 * body has left the manifest, and both are the same code.
 */

/** What arguments may be; several are called as something is that the code of a body needs. */
const ARGUMENTS: Readonly<Record<string, JsonObject>> = {
  textOf: { type: "string" },
  path: { type: "integer" },
  class: { type: "boolean" },
  answer: { enum: ["a", "b"] },
  ctx: { type: "array", items: { type: "string", pattern: "^[a-z]" } },
  styled: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
  ToolError: { type: ["string", "null"] },
  "if-match": { type: "string", pattern: "^[a-z]+$" },
  default: {},
  undefined: { const: "c" },
  instancesOf: { anyOf: [{ type: "string" }, { type: "number" }] },
  NotFoundError: { type: "array", items: { type: "object" } },
};

/** Bodies with a place for an argument, which stands for `NAME`. */
const TOOL_BODIES: readonly JsonObject[] = [
  { http: { upstream: "api", path: "/x/{{NAME}}" } },
  {
    http: {
      ...{ upstream: "api", method: "OPTIONS", query: {} },
      path: {
        template: "/x{{v}}",
        values: { v: { from: "NAME", style: "matrix", explode: true } },
      },
    },
  },
  { http: { upstream: "api", path: "/x", query: { q: "{{NAME}}", "a-b": "v {{NAME}}" } } },
  {
    http: {
      ...{ upstream: "api", path: "/x" },
      query: { q: { from: "NAME", style: "deepObject", explode: true } },
    },
  },
  {
    http: {
      ...{
        upstream: "api",
        path: "/x",
        errors: { 404: "No {{NAME}}", 409: "{{#NAME}}{{NAME}}{{/NAME}}." },
      },
      query: { q: { from: "NAME", style: "pipeDelimited" } },
      result: { from: "/a/b", fields: ["c", "d-e"], maxBytes: 10 },
    },
  },
  {
    http: {
      upstream: "api",
      path: "/x",
      headers: { "X-A": "{{NAME}}" },
      cookies: { c: "{{NAME}}" },
    },
  },
  { http: { upstream: "api", method: "POST", path: "/x" } },
  { http: { upstream: "api", method: "PATCH", path: "/x", body: "{{NAME}}" } },
  {
    http: {
      ...{ upstream: "api", method: "PUT", path: "/x" },
      body: { a: ["{{NAME}}", 1, null], b: { c: "{{NAME}}" }, d: "t {{NAME}} `${x}`" },
    },
  },
  { http: { upstream: "api", method: "POST", path: "/x", form: { f: "{{NAME}}", g: 1 } } },
  { http: { upstream: "api", method: "POST", path: "/x", multipart: { f: "{{NAME}}", g: 1 } } },
  { http: { upstream: "api", method: "POST", path: "/x", text: "t {{NAME}}" } },
  {
    http: {
      ...{ upstream: "api", path: "/x", result: { from: "/items", fields: ["a"] } },
      paginate: { cursor: { query: "after", from: "/next" }, maxPages: 3 },
    },
  },
  { sql: { database: "shop", query: "select :NAME as a" } },
  {
    sql: {
      database: "shop",
      query: "delete from a where b = :NAME returning c",
      row: true,
      write: true,
    },
  },
  { sql: { database: "notes", query: "select :NAME as a", row: true, maxBytes: 99 } },
  { sql: { database: "notes", query: "select :NAME as a", maxRows: 1 } },
  { exec: { command: ["grep", "--", "{{NAME}}", "x"] } },
  { exec: { command: ["{{NAME}}"] } },
  {
    exec: {
      ...{
        command: ["tree", "{{#NAME}}--of={{NAME}}{{/NAME}}"],
        output: "lines",
        okStatus: [0, 3],
      },
      ...{ cwd: { env: "PLACE" }, env: { A: "b", C_D: { env: "PLACE" } } },
    },
  },
  { exec: { command: ["wc"], stdin: "{{NAME}}{{^NAME}}-{{/NAME}}", output: "json", maxBytes: 9 } },
  { mcp: { upstream: "far", name: "other" } },
  { mcp: { upstream: "far" } },
];

/** Of each body, with a schema of its result and without one. */
const OUTPUTS: readonly JsonObject[] = [
  {},
  {
    outputSchema: {
      type: "array",
      items: { type: "object", properties: { a: { type: "string" } } },
    },
  },
  { outputSchema: { type: ["object", "null"], properties: { a: { type: "integer" } } } },
  { outputSchema: { type: "array", items: { type: "string" } } },
];

const FOUNDATION: JsonObject = {
  name: "demo",
  version: "1.0.0",
  env: { PLACE: { required: true }, SHOP_DB: { required: true, secret: true } },
  upstreams: {
    api: { baseUrl: "https://api.example" },
    far: { mcp: { command: ["node", "far.js"] } },
  },
  databases: {
    shop: { type: "postgres", url: { env: "SHOP_DB" } },
    notes: { type: "sqlite", file: "notes.db" },
  },
};

const hasErrors = (manifest: JsonObject): boolean => {
  const { manifest: loaded, diagnostics } = loadManifest(
    "mcp.yaml",
    Buffer.from(JSON.stringify({ ...FOUNDATION, ...manifest })),
  );
  const found = loaded === undefined ? diagnostics : validateManifest(loaded);
  return found.some(({ severity }) => severity === "error");
};

/** Tools that are called as something is that the code of a body, or the test of a handler, needs. */
const TAKEN_NAMES: readonly string[] =
  "text_of tool_error styled path answer ctx command database upstream test_once_written".split(
    " ",
  );

/** An argument of a tool, with the names of those that are required. */
type Argument = readonly [name: string, schema: JsonObject, required: string[]];

/** All arguments, each required and optional. */
const EACH_ARGUMENT = Object.entries(ARGUMENTS).flatMap(([name, schema]): Argument[] => [
  [name, schema, [name]],
  [name, schema, []],
]);

/**
 * The arguments that a body is tried with. In short they are an object and every third one, beginning with another one for each
 * body, and required for every other body.
 */
function argumentsFor(index: number): readonly Argument[] {
  const few = EACH_ARGUMENT.filter(
    ([name, , { length }], place) =>
      (length === (index + 1) % 2 && ((place >> 1) + index) % 3 === 0) || name === "styled",
  );
  return shortOrLong(few, EACH_ARGUMENT);
}

/** Each body with arguments, and one of the outputs: what is valid. */
function tools(): JsonObject[] {
  const found: JsonObject[] = [];
  for (const [index, body] of TOOL_BODIES.entries()) {
    const before = found.length;
    const few = argumentsFor(index);
    // Of a body that takes none of the few, the first that it takes.
    for (const [place, [name, schema, required]] of [...few, ...EACH_ARGUMENT].entries()) {
      if (place >= few.length && found.length > before) break;
      const variants = OUTPUTS.map((output) => ({
        ...{
          name: TAKEN_NAMES[found.length] ?? `tool_${found.length}`,
          description: "Does something.",
        },
        inputSchema: {
          type: "object",
          properties: { [name]: { description: "It.", ...schema } },
          required,
          additionalProperties: false,
        },
        ...output,
        ...withName(body, name),
      }));
      const valid = variants.filter((tool) => !hasErrors({ tools: [tool] }));
      const chosen = valid[(found.length + index) % Math.max(valid.length, 1)];
      if (chosen !== undefined) found.push(chosen);
    }
    assert.ok(found.length > before, `${JSON.stringify(body)} takes no argument`);
  }
  return found;
}

const withName = (body: JsonObject, name: string): JsonObject =>
  JSON.parse(JSON.stringify(body).replaceAll("NAME", name)) as JsonObject;

/** What can be read, completed and listed, with each body that it may have. */
const READABLE: JsonObject = {
  resources: [
    {
      uri: "x://a",
      name: "a",
      http: { upstream: "api", path: "/a", result: { from: "/b", fields: ["c"] } },
    },
    { uri: "x://b", name: "b", sql: { database: "shop", query: "select 1 as a" } },
    { uri: "x://c", name: "c", sql: { database: "notes", query: "select 1 as a", row: true } },
    { uri: "x://d", name: "d", mcp: { upstream: "far", uri: "far://d" } },
  ],
  resourceTemplates: [
    {
      ...{ uriTemplate: "a://{path}{?edition,class}", name: "path" },
      http: {
        upstream: "api",
        path: "/a/{{path}}",
        errors: { 410: "{{#edition}}{{edition}}{{/edition}}" },
      },
      complete: { path: { http: { upstream: "api", path: "/a", query: { q: "{{path}}" } } } },
      list: { http: { upstream: "api", path: "/a", paginate: { page: { query: "page" } } } },
    },
    {
      ...{ uriTemplate: "b://{id}{?limit}", name: "statement" },
      sql: { database: "shop", query: "select :id as a, :limit as b", row: true },
      complete: { id: { sql: { database: "shop", query: "select :id as a" } } },
      list: { sql: { database: "shop", query: "select 1 as id, 2 as limit" } },
    },
    {
      ...{ uriTemplate: "c://{word}", name: "words" },
      sql: { database: "notes", query: "select :word as a" },
      complete: {
        word: { sql: { database: "notes", query: "select :word as a", maxRows: 2, maxBytes: 9 } },
      },
      list: { sql: { database: "notes", query: "select 'a' as word" } },
    },
    {
      uriTemplate: "d:///{+file}",
      name: "files",
      directory: { root: "docs", watch: true, maxBytes: 9 },
    },
    {
      uriTemplate: "e://all{/path*}",
      name: "all",
      directory: { root: { env: "PLACE" }, hidden: true },
    },
    { uriTemplate: "f:///{+path}", name: "drafts", directory: { root: "drafts", list: false } },
    { uriTemplate: "g://{id}", name: "far", mcp: { upstream: "far", uriTemplate: "far://{id}" } },
  ],
  prompts: [
    {
      ...{ name: "pick", description: "Picks." },
      arguments: [
        {
          name: "shelf",
          complete: {
            http: { upstream: "api", path: "/s", result: { from: "/i", fields: ["n"] } },
          },
        },
        {
          name: "title",
          complete: { http: { upstream: "api", path: "/s/{{shelf}}", query: { q: "{{title}}" } } },
        },
        { name: "word", complete: { sql: { database: "notes", query: "select :word as a" } } },
      ],
      messages: [{ role: "user", content: { type: "text", text: "{{shelf}} {{title}} {{word}}" } }],
    },
    { name: "ask", description: "Asks.", mcp: { upstream: "far", name: "other" } },
  ],
};

const BODY_KEYS: ReadonlySet<string> = new Set(["http", "sql", "exec", "mcp", "directory"]);

/** The manifest when every body has left it, and what completed or listed by one is code. */
function withoutBodies(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBodies);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.flatMap(([key, inner]) => leftEntries(key, inner, value)));
}

function leftEntries(key: string, value: unknown, item: object): [string, unknown][] {
  const isItem = "name" in item || "uriTemplate" in item;
  // What a directory completes and lists goes with it, so that code takes its place by name.
  if (key === "directory") return directoryEntries(value as JsonObject, item as JsonObject);
  if (isItem && BODY_KEYS.has(key)) return [];
  if (isItem && key === "list" && typeof value === "object") return [[key, "code"]];
  if (key === "complete" && typeof value === "object" && value !== null) {
    return [[key, isSource(value) ? "code" : mapValues(value, () => "code")]];
  }
  return [[key, withoutBodies(value)]];
}

function directoryEntries({ list }: JsonObject, { uriTemplate }: JsonObject): [string, unknown][] {
  const [, name = ""] = /(\w+)\*?\}$/.exec(String(uriTemplate)) ?? [];
  const listed: [string, unknown][] = list === false ? [] : [["list", "code"]];
  return [["complete", { [name]: "code" }], ...listed];
}

const isSource = (value: object): boolean => Object.keys(value).some((key) => BODY_KEYS.has(key));

const mapValues = (value: object, map: () => unknown): object =>
  Object.fromEntries(Object.keys(value).map((key) => [key, map()]));

/** A file of code without its header and its layout, which people's code has from prettier. */
const comparable = (text = ""): string =>
  text
    .replace(/^\/\/.*\n\n/, "")
    .replace("../../index.ts", "../generated/index.ts")
    .replaceAll(/\s+/g, "")
    .replaceAll(/,(?=[)\]}])/g, "");

const isOwnCode = (path: string): boolean => /^src\/(?:tools|resources|prompts)\//.test(path);

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** What the projects' compiler says of a project. */
async function typeErrors(folder: string, compiler: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [compiler, "--noEmit", "--singleThreaded"], {
    cwd: folder,
  });
  return run.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
}

test("every form of body compiles, and is the same code after a person takes it over", async () => {
  const manifest = { ...FOUNDATION, tools: tools(), ...READABLE };
  const project = new MemoryProject();
  await generate(project, JSON.stringify(manifest));
  const before = project.snapshot();
  await generate(project, JSON.stringify(withoutBodies(manifest)));
  const after = project.snapshot();
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-former-bodies-"));
  const modules = fileURLToPath(new URL("node_modules", packageRoot));
  try {
    for (const [path, own] of Object.entries(after).filter(([path]) => isOwnCode(path))) {
      const generated = before[path.replace("src/", "src/generated/bodies/")];
      if (!path.endsWith(".complete.ts")) assert.is(comparable(own), comparable(generated), path);
    }
    await symlink(modules, join(folder, "node_modules"));
    for (const [name, files] of Object.entries({ before, after })) {
      await writeFiles(join(folder, name), files);
    }
    // One program, so that a compiler reads and checks the types of packages once.
    const settings = {
      extends: "./before/tsconfig.json",
      compilerOptions: { rootDir: "." },
      include: ["*/src", "*/test"],
      exclude: ["*/src/removed"],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
    assert.is(await typeErrors(folder, join(modules, "typescript/bin/tsc")), "");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
