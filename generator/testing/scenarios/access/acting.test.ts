import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LocalPostgres } from "../../../../templates/runtime/samples/local-postgres.js";
import { buildProject, testProject } from "../../harness/projects/built-project.js";
import { FixtureProject, withoutHeader } from "../../harness/projects/fixture-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/** A project whose requests depend on who calls. */

const test = suite("acting for the caller");

const fixture = new FixtureProject("acting");
const why = await LocalPostgres.whyWithout();
const postgres = why === undefined ? await LocalPostgres.start() : undefined;
test.after(async () => {
  await fixture.remove();
  await postgres?.close();
});

let folder: string;
test.before(async () => {
  folder = await fixture.copy();
});

const read = async (path: string): Promise<string> => readFile(join(folder, path), "utf8");

test("the generated code of a request that depends on its caller looks hand-written", async () => {
  assert.is(
    withoutHeader(await read("src/generated/bodies/tools/find-orders.ts")),
    `import { callerOf, path, ToolError, type ToolHandler } from "../../index.ts";

/** GET /tenants/{caller.claims.tenant}/orders of the upstream \`api\`. */
export const findOrders: ToolHandler<"find_orders"> = async ({ status }, ctx) => {
  const caller = callerOf(ctx, {
    tenant: "string",
    level: "integer",
    "https://idp.example/staff": "boolean",
  });
  const answer = await ctx.upstreams.api.get(path\`/tenants/\${caller.claims.tenant}/orders\`, {
    query: { status, level: caller.claims.level },
    headers: {
      "x-user": \`user \${caller.subject}\`,
      "x-staff": caller.claims["https://idp.example/staff"],
    },
  });
  if (answer.status === 404) throw new ToolError(\`\${caller.claims.tenant} has no orders.\`);
  return answer.content();
};
`,
  );
  const notes = await read("src/generated/bodies/tools/find-notes.ts");
  assert.match(notes, 'const caller = callerOf(ctx, { role: "string", tenant: "string" });');
  assert.match(
    notes,
    `    {
      numbers: ["id"],
      role: { name: caller.claims.role, oneOf: ["reader", "writer"] },
      set: { "app.tenant": caller.claims.tenant, "app.user": caller.subject },
    },
`,
  );
  assert.match(await read("src/generated/bodies/resources/order.list.ts"), "callerOf(ctx);");
  assert.match(await read("src/generated/server.ts"), 'callerRoles: ["reader", "writer"]');
  const completion = await read("src/generated/bodies/resources/order.complete.ts");
  assert.match(completion, 'const caller = callerOf(ctx, { tenant: "string" });');
  assert.match(completion, "path`/tenants/${caller.claims.tenant}/ids`, {");
  assert.match(await read("src/generated/server.ts"), "    privateKeys(),\n");
  assert.match(await read("package.json"), '"jose": ');
  assert.match(
    await read("SERVER.md"),
    "`archive`, `calendar`, `ledger`, `vault`: asked in the name of the caller",
  );
  assert.match(await read("SERVER.md"), "`level: integer`, `role: string`, `tenant: string`");
});

test("the generated tests send requests for a caller with hostile claims", async () => {
  await installShared(folder);
  await buildProject(folder);
  const former = process.env["TEST_NOTES_DB"];
  if (postgres !== undefined) {
    await postgres.execute(
      "create role reader; create role writer; create role tester login; grant reader, writer to tester",
    );
    await postgres.execute("create database tests owner tester");
    process.env["TEST_NOTES_DB"] = postgres.url("tester", "tests");
  }
  const report = await testProject(folder);
  if (former === undefined) delete process.env["TEST_NOTES_DB"];
  if (postgres !== undefined) assert.not.match(report, /TEST_NOTES_DB/);
  assert.match(report, /server\.test\.js[^]*\((\d+) \/ \1\)/);
});

test.run();
