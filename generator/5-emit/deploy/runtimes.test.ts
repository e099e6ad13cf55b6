import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../../3-normalize/normalize.js";
import type { Manifest } from "../../model/manifest.js";
import { runtimeScripts } from "./runtimes.js";
import { parse } from "yaml";
import { deployFiles } from "./deploy-files.js";
import { wranglerFile } from "./wrangler.js";

const manifest: Manifest = {
  name: "@acme/books",
  version: "1.2.0",
  transports: [{ type: "http", allowedHosts: ["books.example.com"] }],
};

const scriptsOf = (more: Partial<Manifest>) =>
  runtimeScripts(normalize({ ...manifest, ...more }), "dist/bundle.mjs");

test("each runtime has its script, and no other has one", () => {
  assert.equal(scriptsOf({}), {});
  assert.equal(scriptsOf({ deploy: { bun: true } }), { "start:bun": "bun dist/bundle.mjs" });
  assert.equal(Object.keys(scriptsOf({ deploy: { workers: true } })), ["build:worker"]);
  assert.equal(Object.keys(scriptsOf({ deploy: { lambda: true } })), ["build:lambda"]);
  assert.equal(Object.keys(scriptsOf({ deploy: { vercel: true } })), ["build:vercel"]);
});

test("Deno has the permissions that the manifest needs", () => {
  const permissions = (more: Partial<Manifest>) =>
    scriptsOf({ ...more, deploy: { deno: true } })["start:deno"];
  const least = "deno run --allow-net --allow-env --allow-read --allow-sys";
  assert.is(permissions({}), `${least} dist/bundle.mjs`);
  assert.is(
    permissions({ tools: [{ name: "now", description: "Now.", exec: { command: ["date"] } }] }),
    `${least} --allow-run dist/bundle.mjs`,
  );
  assert.is(
    permissions({ env: { TRAIL: {} }, audit: { to: { env: "TRAIL" } } }),
    `${least} --allow-write dist/bundle.mjs`,
  );
});

test("wrangler.jsonc has the variables with their defaults, and names secrets without a value", () => {
  const env = {
    KEYS: { secret: true, required: true, default: "never shown" },
    DAYS: { type: "number" as const, default: 3 },
    SHELF: { required: true },
  };
  const text = wranglerFile(normalize({ ...manifest, env, deploy: { workers: true } }));
  assert.match(text, '"name": "books"');
  assert.match(text, '"DAYS": "3"');
  assert.match(text, "// Secrets, which `npx wrangler secret put NAME` sets: KEYS\n");
  assert.match(text, "// Variables without which it does not start: SHELF\n");
  assert.not.match(text, "never shown");
});

test("the template of Lambda reads secrets from Secrets Manager, and names what must be set", async () => {
  const env = {
    KEYS: { secret: true, required: true },
    EXTRA: { secret: true },
    DAYS: { type: "number" as const, default: 3 },
    SHELF: { required: true },
  };
  const model = normalize({ ...manifest, env, deploy: { docker: false, lambda: true } });
  const [file, ...others] = await deployFiles(model);
  assert.is(file?.path, "template.yaml");
  assert.equal(others, []);
  const text = String(file?.content);
  const { Resources } = parse(text) as { Resources: Record<string, { Properties: object }> };
  const { Environment, Handler, FunctionUrlConfig } = Resources["Server"]?.Properties as Record<
    string,
    unknown
  >;
  assert.equal(Environment, {
    Variables: { DAYS: "3", KEYS: "{{resolve:secretsmanager:books:SecretString:KEYS}}" },
  });
  assert.is(Handler, "index.streamingHandler");
  assert.equal(FunctionUrlConfig, { AuthType: "NONE", InvokeMode: "RESPONSE_STREAM" });
  assert.match(text, "# The secret books of Secrets Manager is a JSON object with: KEYS\n");
  assert.match(text, "# Secrets that may be added to it and to the variables: EXTRA\n");
  assert.match(text, "# Variables without which it does not start: SHELF\n");
});

test("Vercel builds the project with its script, and has settings of one function", async () => {
  const files = await deployFiles(
    normalize({ ...manifest, deploy: { docker: false, vercel: true } }),
  );
  assert.equal(
    files.map(({ path }) => path),
    ["vercel.json", "deploy/vercel/function.json"],
  );
  const [project, served] = files.map(({ content }) => JSON.parse(content) as object);
  assert.is((project as { buildCommand?: string }).buildCommand, "npm run build:vercel");
  assert.is((served as { handler?: string }).handler, "index.mjs");
});

test.run();
