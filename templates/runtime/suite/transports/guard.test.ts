import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../contract.js";
import { withGuard } from "./guard.js";

test("whether the server asks who calls is read in the project's own code, too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "context-"));
  const context = pathToFileURL(join(folder, "context.js"));
  const guardOf = async (code: string, guarded?: { method: string; params: JsonObject }) => {
    await writeFile(context, code);
    return (await withGuard({ ...(guarded && { guarded }) }, context)).guarded;
  };
  const found = { method: "server/discover", params: {}, mayBeOpen: true };
  await writeFile(new URL("auth.js", context), "export async function authenticate() {}");
  await writeFile(
    new URL("all.js", context),
    'export * from "./context.js";\nexport * from "./a.js";',
  );
  await writeFile(new URL("a.js", context), "export const a = 1;");
  for (const code of [
    "export const authenticate = async ({ token }) => token;",
    "const a = 1;\nexport async function authenticate() {}",
    'export {\n  authenticate\n} from "./auth.js";',
    "export const { authenticate, protectedResource } = authentication();",
    "export * from \"./all.js\";\nexport * from './auth.js';",
    'export * from "@example/authentication";',
  ]) {
    assert.equal(await guardOf(code), found, code);
  }
  for (const code of [
    "// export const authenticate = 1;\nexport const authenticates = 1;",
    'export * from "./all.js";',
    'export * as auth from "./auth.js";',
    '// export * from "./auth.js";',
  ]) {
    assert.is(await guardOf(code), undefined, code);
  }
  const guarded = { method: "tools/call", params: { name: "a" } };
  assert.equal(await guardOf("export const authenticate = 1;", guarded), guarded);
  await rm(folder, { recursive: true });
});

test.run();
