import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildProject, testProject } from "../../harness/projects/built-project.js";
import { FixtureProject, withoutHeader } from "../../harness/projects/fixture-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/** A project whose requests depend on who calls. */

const test = suite("acting for the caller");

const fixture = new FixtureProject("acting");
test.after(async () => {
  await fixture.remove();
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
  const completion = await read("src/generated/bodies/resources/order.complete.ts");
  assert.match(completion, 'const caller = callerOf(ctx, { tenant: "string" });');
  assert.match(completion, "path`/tenants/${caller.claims.tenant}/ids`, {");
  assert.match(await read("SERVER.md"), "`ledger`: asked in the name of the caller");
  assert.match(await read("SERVER.md"), "`level: integer`, `tenant: string`");
});

test("the generated tests call it as a caller with hostile claims", async () => {
  await installShared(folder);
  await buildProject(folder);
  const report = await testProject(folder);
  assert.match(report, /server\.test\.js[^]*\((\d+) \/ \1\)/);
});

test.run();
