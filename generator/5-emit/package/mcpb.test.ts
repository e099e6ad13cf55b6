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
import { bundleContents } from "./mcpb.js";
import { packageFiles } from "./package-files.js";

const SCHEMA = "data/schemas/mcpb-manifest-v0.3.schema.json";

const base: Manifest = {
  name: "@acme/day-planner",
  version: "1.2.0",
  author: "Ada Lovelace <ada@example.com> (https://ada.example/ü)",
  package: { mcpb: true },
};

/** The bundle's manifest, as parts of which the tests look at some. */
interface BundleManifest extends Readonly<Record<string, unknown>> {
  readonly author: unknown;
  readonly server: { readonly mcp_config: { readonly env?: unknown } };
  readonly user_config?: Readonly<Record<string, JsonObject>>;
}

function manifestOf(settings: Partial<Manifest>): BundleManifest {
  const { manifest } = bundleContents(normalize({ ...base, ...settings }));
  return JSON.parse(JSON.stringify(manifest)) as BundleManifest;
}

const PIXEL = "data:image/png;base64,iVBORw0KGgo=";

const WHOLE: Partial<Manifest> = {
  title: "Day planner",
  description: "Plans the day.\n",
  websiteUrl: "https://day.example/ü",
  repository: "github:acme/day",
  license: "MIT",
  keywords: ["day"],
  icons: [
    { src: "https://day.example/icon.png" },
    { src: PIXEL, sizes: ["any", "48x48"], theme: "dark" },
    { src: PIXEL },
  ],
  env: {
    API_KEY: { description: "Key of the calendar", required: true, secret: true },
    TOKEN: { secret: true },
    DAYS: { type: "number", required: true, default: 3, enum: [3, 7] },
    SITE: { type: "url", required: true },
    QUIET: { type: "boolean" },
  },
  tools: [
    { name: "plan", description: "Plans." },
    { name: "later", description: "Not there yet.", enabled: false },
  ],
  prompts: [{ name: "ask", messages: [{ role: "user", content: { type: "text", text: "Hi" } }] }],
};

testShared("the manifest is valid by the schema of bundles", SCHEMA, async (url) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(await readFile(url, "utf8")) as object);
  const oddAuthor = {
    author: { name: "Ada", email: "not an address", url: "https://ada.example/|" },
  };
  for (const settings of [{}, WHOLE, OF_NETWORK, oddAuthor, { author: "<ada@example.com>" }]) {
    const manifest = { ...manifestOf(settings), version: "1.2.0" };
    assert.ok(validate(manifest), JSON.stringify(validate.errors));
    assert.not(validate({ ...manifest, author: undefined }), "an author is needed");
  }
});

test("a bundle asks the user only for required and secret variables", () => {
  const { server, user_config: asked = {} } = manifestOf(WHOLE);
  assert.equal(server.mcp_config.env, {
    API_KEY: "${user_config.API_KEY}",
    DAYS: "${user_config.DAYS}",
    SITE: "${user_config.SITE}",
    TOKEN: "${user_config.TOKEN}",
  });
  const optional = { required: false };
  assert.equal(asked, {
    API_KEY: {
      type: "string",
      title: "API KEY",
      description: "Key of the calendar",
      required: true,
      sensitive: true,
    },
    DAYS: {
      type: "number",
      title: "DAYS",
      description: "What the server reads as DAYS (one of 3, 7)",
      ...optional,
      default: 3,
    },
    SITE: {
      type: "string",
      title: "SITE",
      description: "What the server reads as SITE",
      required: true,
    },
    TOKEN: {
      type: "string",
      title: "TOKEN",
      description: "What the server reads as TOKEN",
      ...optional,
      default: "",
      sensitive: true,
    },
  });
});

const OF_NETWORK: Partial<Manifest> = {
  transports: [{ type: "stdio" }, { type: "http", tls: { cert: "CERT", key: "CERT_KEY" } }],
  env: {
    CERT: { required: true },
    CERT_KEY: { required: true },
    ISSUER: { type: "url", required: true },
    KEYS: { required: true },
    SECRET: { secret: true },
    SHARED: { secret: true, required: true },
    URL_OF_IT: { type: "url", required: true },
  },
  auth: {
    resource: { env: "URL_OF_IT" },
    jwt: [{ issuer: { env: "ISSUER" } }],
    introspection: { url: { env: "ISSUER" }, client: "a", secret: { env: "SECRET" } },
    apiKeys: { file: { env: "KEYS" } },
  },
  upstreams: { api: { baseUrl: "https://api.example", auth: { bearer: { env: "SHARED" } } } },
};

test("a bundle does not ask for variables that act only over the network", () => {
  assert.equal(Object.keys(manifestOf(OF_NETWORK).user_config ?? {}), ["SHARED"]);
  const sharing = {
    introspection: { url: "https://idp.example", client: "a", secret: { env: "SHARED" } },
  };
  const shared = manifestOf({ ...OF_NETWORK, auth: { ...OF_NETWORK.auth, ...sharing } });
  assert.equal(Object.keys(shared.user_config ?? {}), ["SECRET", "SHARED"]);
});

test("paths that the manifest uses, and what has `ask`, are offered without being required", () => {
  const { server, user_config: asked = {} } = manifestOf({
    env: {
      AUDIT: {},
      CWD: {},
      DATA: { default: "data" },
      DB: { required: true },
      LANGUAGE: { ask: true, default: "en" },
      LOGS: { ask: "directory", description: "Where logs are" },
      OTHER: {},
      QUIET: { ask: false },
    },
    audit: { to: { env: "AUDIT" } },
    databases: { notes: { type: "sqlite", file: { env: "DB" } } },
    resourceTemplates: [
      {
        ...{ name: "files", uriTemplate: "a://files/{+path}", description: "Files." },
        directory: { root: { env: "DATA" } },
      },
    ],
    tools: [
      { name: "list", description: "Lists.", exec: { command: ["ls"], cwd: { env: "CWD" } } },
    ],
  });
  assert.equal(
    Object.entries(asked).map(([name, { type, required, default: value }]) => [
      name,
      type,
      required,
      value,
    ]),
    [
      ["AUDIT", "file", false, ""],
      ["CWD", "directory", false, ""],
      ["DATA", "directory", false, ""],
      ["DB", "file", true, undefined],
      ["LANGUAGE", "string", false, "en"],
      ["LOGS", "directory", false, ""],
    ],
  );
  assert.equal(Object.keys(server.mcp_config.env ?? {}), Object.keys(asked));
});

test("a bundle's manifest has the author in parts, its icons as files, and only items that never change", () => {
  const manifest = manifestOf(WHOLE);
  assert.equal(manifest.author, {
    name: "Ada Lovelace",
    email: "ada@example.com",
    url: "https://ada.example/%C3%BC",
  });
  assert.is(manifest["icon"], "icons/icon-2.png");
  assert.equal(manifest["icons"], [{ src: "icons/icon-2.png", size: "48x48", theme: "dark" }]);
  assert.equal(manifest["tools"], [{ name: "plan", description: "Plans." }]);
  assert.is(manifest["tools_generated"], true);
  assert.is(manifest["prompts_generated"], true);
  assert.equal(manifestOf({ author: "<ada@example.com>" }).author, {
    name: "<ada@example.com>",
    email: "ada@example.com",
  });
});

test("a bundle has the files and folders that clients read", () => {
  const { files, folders } = bundleContents(
    normalize({
      ...base,
      resources: [{ uri: "a://terms", name: "terms", file: "terms.txt" }],
      resourceTemplates: [
        { uriTemplate: "a://docs/{+path}", name: "docs", directory: { root: "docs" } },
        {
          ...{ uriTemplate: "a://all/{+path}", name: "all" },
          directory: { root: "all", hidden: true },
        },
      ],
      skills: [{ root: ".claude/skills" }],
    }),
  );
  assert.equal(files, ["terms.txt"]);
  assert.equal(folders, [
    { path: "docs", hidden: false },
    { path: "all", hidden: true },
    { path: ".claude/skills", hidden: false },
  ]);
});

test("only a project that asks for a bundle gets the files and scripts that make it", async () => {
  const files = await packageFiles(normalize(base));
  const paths = files.map(({ path }) => path);
  assert.equal(paths, ["src/generated/mcpb.json"]);
  const { scripts, devDependencies } = packageJson(normalize(base));
  assert.match(JSON.stringify(scripts), "mcpb pack dist/mcpb dist/day-planner.mcpb");
  assert.ok("@anthropic-ai/mcpb" in (devDependencies as object));
  const without = normalize({ ...base, package: { mcpb: false } });
  assert.equal(await packageFiles(without), []);
  assert.not.match(JSON.stringify(packageJson(without)), "mcpb");
});

test.run();
