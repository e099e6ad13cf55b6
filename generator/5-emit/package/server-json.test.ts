import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import ajvFormats from "ajv-formats";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../../3-normalize/normalize.js";
import type { JsonObject } from "../../model/json.js";
import type { Manifest } from "../../model/manifest.js";
import { testShared } from "../../testing/harness/runner/shared-data.js";
import { packageJson } from "../project/package-json.js";
import { packageFiles } from "./package-files.js";
import { serverJson } from "./server-json.js";

const SCHEMA = "data/schemas/server-json-2025-12-11.schema.json";

const name = "io.github.Acme/day-planner";
const http = { type: "http" } as const;
const stdio = { type: "stdio" } as const;

/** What the tests look at in an entry. */
interface Entry extends Readonly<Record<string, unknown>> {
  readonly packages?: readonly {
    readonly transport: unknown;
    readonly environmentVariables?: unknown;
  }[];
  readonly remotes?: readonly { readonly url: string; readonly headers?: readonly JsonObject[] }[];
}

/** `server.json` of a manifest with these settings. */
function entryOf(settings: Partial<Manifest>): Entry {
  const wanted: Manifest = { name: "@acme/day-planner", version: "1.2.0", ...settings };
  const model = normalize({ ...wanted, package: { registry: { name }, ...wanted.package } });
  const registry = model.package?.registry;
  return JSON.parse(JSON.stringify(registry && serverJson(model, registry))) as Entry;
}

const LONG = "Plans the day by what the weather will be, and by what is on the calendar already. ";
const URL_OF_SERVER = "https://day.example/mcp";

/** Manifests whose entries differ in every part. */
const MANIFESTS: Readonly<Record<string, Partial<Manifest>>> = {
  bare: {},
  whole: {
    title: LONG.repeat(2),
    description: `${LONG}\n${LONG}`,
    websiteUrl: "https://exämple.org/ü|{a}?b=100%",
    repository: { url: "git+https://github.com/acme/day.git", directory: "./packages/planner" },
    icons: [
      {
        src: "https://day.example/icon.png",
        mimeType: "image/png",
        sizes: ["48x48"],
        theme: "dark",
      },
      { src: "https://day.example/icon.gif", mimeType: "image/gif" },
      { src: `https://day.example/${"é".repeat(100)}.png` },
      { src: "data:image/png;base64,AAAA" },
    ],
    env: {
      API_KEY: { description: "Key\nof the calendar", required: true, secret: true },
      DAYS: { type: "number", default: 3, enum: [3, 7] },
      SITE: { type: "url", required: true },
      QUIET: { type: "boolean", default: false },
    },
  },
  "over HTTP alone": { transports: [{ ...http, host: "0.0.0.0" }] },
  "remote with a key": {
    transports: [stdio, http],
    env: { KEYS: { secret: true } },
    auth: { apiKeys: { env: "KEYS" } },
    package: { registry: { name, url: URL_OF_SERVER, npm: false } },
  },
  "remote with a sign-in": {
    transports: [http],
    auth: { resource: URL_OF_SERVER, jwt: [{ issuer: "https://idp.example" }] },
  },
};

testShared("server.json is valid by the registry's schema", SCHEMA, async (url) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(await readFile(url, "utf8")) as object);
  for (const [title, manifest] of Object.entries(MANIFESTS)) {
    const entry = entryOf(manifest);
    assert.ok(validate(entry), `${title}: ${JSON.stringify(validate.errors)}`);
    const { description, ...rest } = entry;
    assert.not(validate(rest), "without a description no entry is valid");
  }
});

test("a server without texts is described by its name, and started by npx", () => {
  assert.equal(entryOf({}), {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name,
    description: "@acme/day-planner",
    version: "1.2.0",
    packages: [
      {
        registryType: "npm",
        identifier: "@acme/day-planner",
        version: "1.2.0",
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "--stdio" }],
      },
    ],
  });
});

test("texts are cut after a word, addresses are encoded, and icons that the registry refuses are left out", () => {
  const entry = entryOf(MANIFESTS["whole"] ?? {});
  assert.match(String(entry["description"]), /^Plans the day .* already\. Plans the day by…$/);
  assert.is(entry["websiteUrl"], "https://xn--exmple-cua.org/%C3%BC%7C%7Ba%7D?b=100%25");
  assert.equal(entry["repository"], {
    url: "https://github.com/acme/day",
    source: "github",
    subfolder: "packages/planner",
  });
  assert.equal(entry["icons"], [
    { src: "https://day.example/icon.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" },
  ]);
  const required = { format: "string", isRequired: true };
  const optional = { isRequired: false, isSecret: false };
  assert.equal(entry.packages?.[0]?.environmentVariables, [
    { name: "API_KEY", description: "Key\nof the calendar", ...required, isSecret: true },
    { name: "DAYS", format: "number", ...optional, default: "3", choices: ["3", "7"] },
    { name: "QUIET", format: "boolean", ...optional, default: "false" },
    { name: "SITE", ...required, isSecret: false },
  ]);
});

test("a package that is started over stdio has no variables of the network, one over HTTP has them", () => {
  const settings: Partial<Manifest> = {
    env: {
      DATA: { ask: "directory" },
      KEYS: { required: true },
      SITE: { type: "url", required: true },
    },
    auth: { resource: { env: "SITE" }, apiKeys: { file: { env: "KEYS" } } },
  };
  const variables = (transports: NonNullable<Manifest["transports"]>): unknown =>
    (entryOf({ ...settings, transports }).packages?.[0]?.environmentVariables as JsonObject[]).map(
      (variable) => [variable["name"], variable["format"], variable["isRequired"]],
    );
  const data = ["DATA", "filepath", false];
  assert.equal(variables([stdio, { ...http, tls: { cert: "CERT", key: "KEY" } }]), [data]);
  assert.equal(variables([http]), [data, ["KEYS", "string", true], ["SITE", "string", true]]);
});

test("a path that begins at the folder of the installed package is not offered as a default", () => {
  const settings: Partial<Manifest> = {
    env: {
      AUDIT: { default: "logs/audit.jsonl" },
      CERT: { default: "tls/cert.pem" },
      CERT_KEY: { default: "/etc/tls/key.pem" },
      DATA: { ask: "directory", default: "./data" },
      DOCS: { ask: false, default: "docs" },
      KEYS: { default: "keys.txt" },
      LANGUAGE: { default: "en/us" },
      NOTES: { required: true, default: "C:\\notes.db" },
    },
    transports: [{ ...http, tls: { cert: "CERT", key: "CERT_KEY" } }],
    auth: { resource: URL_OF_SERVER, apiKeys: { file: { env: "KEYS" } } },
    audit: { to: { env: "AUDIT" } },
    databases: { notes: { type: "sqlite", file: { env: "NOTES" } } },
    resourceTemplates: [
      {
        ...{ name: "docs", uriTemplate: "a://docs/{+path}", description: "Documents." },
        directory: { root: { env: "DOCS" } },
      },
    ],
  };
  const variables = entryOf(settings).packages?.[0]?.environmentVariables as readonly JsonObject[];
  assert.equal(
    variables.map(({ name: variable, default: value }) => [variable, value]),
    [
      ["AUDIT", undefined],
      ["CERT", undefined],
      ["CERT_KEY", "/etc/tls/key.pem"],
      ["DATA", undefined],
      ["DOCS", undefined],
      ["KEYS", undefined],
      ["LANGUAGE", "en/us"],
      ["NOTES", "C:\\notes.db"],
    ],
  );
  assert.not(variables.some(({ isRequired }) => isRequired === true));
});

test("repositories are found however package.json names them", () => {
  const found = (repository: string): unknown => entryOf({ repository })["repository"];
  const acme = { url: "https://github.com/acme/day", source: "github" };
  for (const written of [
    "acme/day",
    "github:acme/day",
    "https://github.com/acme/day",
    "git@github.com:acme/day.git",
    "git+ssh://git@github.com/acme/day.git",
    "git://github.com/acme/day.git",
  ]) {
    assert.equal(found(written), acme, written);
  }
  assert.equal(found("gitlab:acme/day"), { url: "https://gitlab.com/acme/day", source: "gitlab" });
  for (const unknown of ["gist:1234", "https://git.example/acme/day", "nothing"]) {
    assert.is(found(unknown), undefined, unknown);
  }
});

test("a running server is a remote, with a header where callers need a key", () => {
  const local = { type: "streamable-http", url: "http://127.0.0.1:3000/mcp" };
  const over = entryOf(MANIFESTS["over HTTP alone"] ?? {});
  assert.equal(over.packages?.[0]?.transport, local);
  const keyed = entryOf(MANIFESTS["remote with a key"] ?? {});
  assert.not("packages" in keyed);
  const remote = keyed.remotes?.[0];
  assert.is(remote?.url, URL_OF_SERVER);
  assert.equal(
    remote?.headers?.map(({ name, value, isSecret }) => ({ name, value, isSecret })),
    [{ name: "Authorization", value: "Bearer {token}", isSecret: true }],
  );
  const signing = entryOf(MANIFESTS["remote with a sign-in"] ?? {});
  assert.equal(signing["remotes"], [{ type: "streamable-http", url: URL_OF_SERVER }]);
});

test("package.json names the registry's entry only if the project has one", async () => {
  const manifest: Manifest = { name: "a", version: "1.0.0" };
  const listed = normalize({ ...manifest, package: { registry: { name } } });
  assert.equal(
    (await packageFiles(listed)).map(({ path }) => path),
    ["server.json"],
  );
  assert.is(
    packageJson(normalize({ ...manifest, package: { registry: { name } } }))["mcpName"],
    name,
  );
  for (const other of [manifest, { ...manifest, package: {} }]) {
    assert.equal(await packageFiles(normalize(other)), []);
    assert.not("mcpName" in packageJson(normalize(other)));
  }
});

test.run();
