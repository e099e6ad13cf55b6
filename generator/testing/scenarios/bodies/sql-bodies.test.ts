import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { LocalPostgres } from "../../../../templates/runtime/samples/local-postgres.js";
import { testProjects } from "../../harness/projects/built-project.js";
import {
  FixtureProject,
  runCommand,
  withoutHeader,
} from "../../harness/projects/fixture-project.js";
import { copyUserFiles } from "../../harness/projects/generated-project.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { answersOf } from "../../harness/clients/in-process-answers.js";
import { nodeFolder, whyWithout } from "../../harness/runner/node-programs.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/** A project whose tools are statements of the manifest, from its first generation to its own code and back. */
const fixture = new FixtureProject("sql-bodies");
const NODE = "22.23.3";
const why = (await LocalPostgres.whyWithout()) ?? (await whyWithout(NODE));
const test = suite("sql bodies");
let postgres: LocalPostgres | undefined;
/** The project as it is generated first, once a test has built it. */
let built = "";

test.after(async () => {
  await fixture.remove();
  await postgres?.close();
});

const read = async (folder: string, path: string): Promise<string> =>
  readFile(join(folder, path), "utf8");

/** A Postgres with a database for the role `tester`. */
async function database(): Promise<LocalPostgres> {
  if (postgres !== undefined) return postgres;
  postgres = await LocalPostgres.start();
  await postgres.execute("create role tester login");
  await postgres.execute("create database tests owner tester");
  return postgres;
}

/** Runs the tests of projects under a Node.js that has SQLite, on a Postgres of this test. */
async function testOnDatabase(folders: readonly string[]): Promise<string[]> {
  const former = { ...process.env };
  process.env["PATH"] = `${await nodeFolder(NODE)}${delimiter}${former["PATH"] ?? ""}`;
  process.env["TEST_SHOP_DB"] = (await database()).url("tester", "tests");
  try {
    return await testProjects(folders, { node: join(await nodeFolder(NODE), "node") });
  } finally {
    process.env = former;
  }
}

/** `examples/shop`, generated in a new folder. */
async function generatedShop(): Promise<string> {
  const example = fileURLToPath(new URL("examples/shop", packageRoot));
  const folder = await copyUserFiles(example, "shop");
  fixture.add(folder);
  await runCommand(folder, "generate");
  return folder;
}

test("the generated code of an SQL body looks hand-written", async () => {
  const folder = await fixture.copy();
  assert.is(
    withoutHeader(await read(folder, "src/generated/bodies/tools/orders-of.ts")),
    `import type { ToolHandler } from "../../index.ts";

/** Reads the database \`shop\`. */
export const ordersOf: ToolHandler<"orders_of"> = async ({ customer }, ctx) => {
  const answer = await ctx.databases.shop.query(
    "select id, total from orders where customer = $1 order by id",
    [customer],
    { numbers: ["id", "total"] },
  );
  return answer.result();
};
`,
  );
  const found = await read(folder, "src/generated/bodies/tools/find-products.ts");
  assert.match(found, "\"where ($1::text is null or name ilike '%' || $1 || '%')\"");
  assert.match(found, "[part, among],\n    { maxRows: 2, maxBytes: 65536 },");
  assert.is(
    withoutHeader(await read(folder, "src/generated/bodies/resources/order.complete.ts")),
    `import type { CompletionCode } from "../../index.ts";

/** Values that clients suggest to their users. */
export const orderCompletion: { readonly id: CompletionCode } = {
  id: async ({ value: id }, ctx) => {
    const answer = await ctx.databases.shop.query(
      "select id from orders where starts_with(id::text, $1) order by id",
      [id],
    );
    return answer.values();
  },
};
`,
  );
  const order = await read(folder, "src/generated/bodies/resources/order.ts");
  assert.match(order, "if (answer.row() === null) throw new NotFoundError();");
  const packageJson = JSON.parse(await read(folder, "package.json")) as Record<string, object>;
  assert.equal(packageJson["engines"], { node: ">=22.13.0" });
  assert.match(
    await read(folder, "SERVER.md"),
    "The database `shop` answers: one statement that only reads it.",
  );
});

const PASSED = /generated\/server\.test\.js[^]*?\((\d+) \/ \1\)/;

async function testGenerated(): Promise<void> {
  await installShared(built);
  const [output = ""] = await testOnDatabase([built]);
  assert.match(output, PASSED);
}

/** @param taken the project whose code a person took over */
async function testAll(taken: string): Promise<void> {
  const folders = [built, taken, await generatedShop()];
  await Promise.all(folders.map(installShared));
  const [first = "", left = "", ofShop = ""] = await testOnDatabase(folders);
  for (const output of [first, ofShop]) assert.match(output, PASSED);
  assert.match(ofShop, /shop\.test\.js[^]*?\(4 \/ 4\)/);
  // The three hostile texts of `find_notes` are those of its body.
  for (const name of ["orders-of", "find-notes"]) {
    assert.match(left, new RegExp(`tools/${name}\\.test\\.js[^]*?\\(1 / 1\\)`));
  }
}

/**
 * In short, the tests of the generated project alone are run: that what people take over is the same code is shown here, and
 * that all of it compiles, in `former-bodies.test.ts`. `http-bodies.test.ts` runs the starter tests of such code.
 */
const isLong = shortOrLong(false, true);

test("the tests of SQL bodies pass, before and after people take over the code, as do those of examples/shop", async () => {
  const folder = await fixture.copy();
  const whole = await read(folder, "mcp.yaml");
  const [ordersOf, findNotes] = ["orders-of", "find-notes"];
  const former = await read(folder, `src/generated/bodies/tools/${ordersOf}.ts`);
  const bodies = "src/generated/bodies/resources";
  const readable = ["products", "order", "order.list"];
  const formerOfRead = await Promise.all(
    readable.map((name) => read(folder, `${bodies}/${name}.ts`)),
  );
  const less = whole
    .replace(/ {4}sql: .*(?:where customer|text like|from products order|where id = :id).*\n/g, "")
    .replace(/( {4}complete: \{ (?:id|word):) .*/g, "$1 code }")
    .replace(/( {4}list:) .*/, "$1 code");
  await writeFile(join(folder, "mcp.yaml"), less);
  const plan = await runCommand(folder, "plan");
  for (const name of [ordersOf, findNotes]) {
    const words = "(what the manifest said that it does, yours from now on)";
    assert.match(plan, `+ src/tools/${name}.ts  ${words}`);
  }
  await runCommand(folder, "generate");
  const own = await read(folder, `src/tools/${ordersOf}.ts`);
  assert.is(own, withoutHeader(former).replace("../../index.ts", "../generated/index.ts"));
  for (const [index, name] of readable.entries()) {
    const former = withoutHeader(formerOfRead[index] ?? "");
    assert.is(
      await read(folder, `src/resources/${name}.ts`),
      former.replace("../../index.ts", "../generated/index.ts"),
    );
  }
  assert.not.match(await read(folder, "src/resources/order.complete.ts"), "NotImplemented");
  built = await fixture.copy();
  await (isLong ? testAll(folder) : testGenerated());
  assert.match(await runCommand(folder, "generate"), "nothing to do");
  await runCommand(folder, "check");

  await writeFile(join(folder, "mcp.yaml"), whole);
  assert.match(await runCommand(folder, "plan"), "src/removed/tools/orders-of.ts");
  await runCommand(folder, "generate");
  assert.is(await read(folder, "src/removed/tools/orders-of.ts"), own);
});

test("in mock mode an SQL body answers with its mock and runs no statement", async () => {
  const params = { name: "orders_of", arguments: { customer: 1 } };
  const request = { method: "tools/call", params };
  const answer = await answersOf(built, { mock: true }, [request]);
  assert.match(answer, '"structuredContent":[{"id":1,"total":9.5},{"id":2,"total":3}]');
});

test("a superuser is refused at start, and a database that cannot be reached is a warning", async () => {
  const node = join(await nodeFolder(NODE), "node");
  const start = async (url: string): Promise<{ status: number | null; err: string }> => {
    const env = { ...process.env, SHOP_DB: url };
    const child = spawn(node, ["dist/src/main.js", "--stdio"], { cwd: built, env });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.end();
    const [status] = (await once(child, "close")) as [number | null];
    return { status, err };
  };
  const superuser = await start((await database()).url());
  assert.is(superuser.status, 1);
  assert.match(superuser.err, "the role owner of the database shop (SHOP_DB) is a superuser");
  assert.match(superuser.err, "grant select on all tables");
  const absent = await start("postgres://reader:s3cretWord@127.0.0.1:1/shop");
  assert.is(absent.status, 0);
  assert.match(absent.err, "The database shop cannot be reached.");
  assert.not.match(absent.err, "s3cretWord");
});

runUnless(why, "sql bodies", test);
