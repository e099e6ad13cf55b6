import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../3-normalize/normalize.js";
import type { JsonObject } from "../model/json.js";
import { validManifest } from "../model/loaded-manifest.js";
import { MemoryProject } from "../testing/harness/projects/memory-project.js";
import { withUnknownCallers } from "./unknown-callers.js";

const scoped: JsonObject = {
  name: "demo",
  version: "1.0.0",
  transports: [{ type: "http" }],
  tools: [{ name: "a", description: "Does a.", scopes: ["write"] }],
};

/** What is said of a project with this `src/context.ts`, or with none. */
function codes(context: string | undefined, manifest: JsonObject = scoped): string[] {
  const project = new MemoryProject();
  if (context !== undefined) project.write("src/context.ts", context);
  const plan = { changes: [], semantic: [], diagnostics: [], operations: [] };
  const checked = { manifest, model: normalize(validManifest(manifest)) };
  return withUnknownCallers(plan, checked, project.tree).diagnostics.map(({ code }) => code);
}

const without = "export async function createServices() {\n  return {};\n}\n";

test("scopes are reported if the project's code cannot authenticate callers", () => {
  assert.equal(codes(without), ["MW4015"]);
  assert.equal(codes(`${without}// authenticate comes later\n`), ["MW4015"]);
  assert.equal(codes(`${without}const authenticate = () => undefined;\n`), ["MW4015"]);
});

test("scopes are not reported if callers may be authenticated, or nobody calls over the network", () => {
  for (const known of [
    "export const authenticate: Authenticate = async () => undefined;",
    "export async function authenticate() {}",
    "export { authenticate } from './callers.ts';",
    "export {\n  createServices,\n  authenticate,\n};",
    "export * from './callers.ts';",
  ]) {
    assert.equal(codes(`${without}${known}\n`), [], known);
  }
  assert.equal(codes(undefined), [], "it is to be written");
  assert.equal(codes(without, { ...scoped, transports: [{ type: "stdio" }] }), []);
  assert.equal(codes(without, { ...scoped, auth: { apiKeys: { env: "KEYS" } } }), []);
  assert.equal(codes(without, { ...scoped, tools: [{ name: "a", description: "Does a." }] }), []);
  assert.equal(codes(without, { ...scoped, diagnostics: { MW4015: "off" } }), []);
});

test.run();
