import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LocalPostgres } from "../../../../templates/runtime/samples/local-postgres.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { connectStdio } from "../../harness/clients/project-clients.js";
import { edit, TestFolders, write } from "../../harness/projects/project-folder.js";

/** An imported server before an API that answers otherwise than its document says. */

const folders = new TestFolders();
let upstream: Server | undefined;
test.after(async () => {
  upstream?.close();
  await folders.remove();
});

/** The answers of the API by path, as text. */
const ANSWERS: Readonly<Record<string, string>> = {
  "/lots": '{"items":[{"name":"a"},{"id":9007199254740993}]}',
  "/users": '{"id":1}',
  "/empty": "",
};

const DOCUMENT = `openapi: 3.0.3
info: { title: Depot, version: 1.0.0 }
servers: [{ url: "https://depot.example" }]
paths:
  /lots:
    get:
      operationId: listLots
      responses: { "200": { description: ok, content: { application/json: { schema: { type: object, properties: { items: { type: array, items: { $ref: "#/components/schemas/Lot" } } } } } } } }
  /users:
    post:
      operationId: addUser
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Lot" } } } } }
  /empty:
    delete:
      operationId: empty
      responses: { "200": { description: ok, content: { application/json: { schema: { type: object } } } } }
components:
  schemas:
    Lot: { type: object, required: [name], properties: { name: { type: string }, id: { type: integer } } }
`;

async function started(): Promise<string> {
  upstream = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(ANSWERS[request.url ?? ""]);
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
}

/** The texts of the results of all tools. The official client refuses results that break the output schema. */
async function results(client: Client): Promise<Record<string, readonly string[]>> {
  await client.listTools();
  const answered: Record<string, readonly string[]> = {};
  for (const name of ["listLots", "addUser", "empty"]) {
    const { content, isError } = await client.callTool({ name, arguments: {} });
    assert.is(isError, true, name);
    answered[name] = (content as { text: string }[]).map(({ text }) => text);
  }
  return answered;
}

test("what an API answers against its document reaches the model, unless a body or an upstream is strict", async () => {
  const folder = await folders.make("unfit-answers");
  await write(folder, "depot.yaml", DOCUMENT);
  const { status, err } = await mcpwright(folder, "import", "openapi", "depot.yaml");
  assert.is(status, 0, err);
  await edit(folder, "mcp.yaml", (text) =>
    text
      .replace("{baseUrl:", "{private: true, baseUrl:")
      .replace("method: POST,", "$& strict: true,"),
  );
  assert.is((await mcpwright(folder, "generate")).status, 0);
  await installShared(folder);
  await buildProject(folder);
  const env = { DEPOT_URL: await started() };
  for (const era of ["modern", "legacy"] as const) {
    const client = await connectStdio(folder, era, env);
    try {
      const { listLots = [], addUser, empty = [] } = await results(client);
      const [notice, ...shown] = listLots;
      assert.match(notice ?? "", "required property 'name' is missing at /items/1");
      assert.equal(shown, [ANSWERS["/lots"]]);
      assert.equal(addUser, ["Tool addUser returned a result that breaks its output schema"]);
      assert.match(empty[0] ?? "", "it is empty");
      assert.equal(empty.slice(1), ["200 OK"]);
    } finally {
      await client.close();
    }
  }

  await edit(folder, "mcp.yaml", (text) =>
    text.replace("strict: true", "strict: false").replace("private: true", "$&, strict: true"),
  );
  const plan = await mcpwright(folder, "plan");
  assert.match(plan.out, /came as text, and are refused now\s+upstreams\.depot /);
  assert.match(plan.out, /were refused, and come as text now\s+tools\.addUser\.http\.strict /);
  assert.is((await mcpwright(folder, "generate")).status, 0);
  await buildProject(folder);
  const client = await connectStdio(folder, "modern", env);
  try {
    const { listLots, addUser } = await results(client);
    assert.equal(listLots, ["Tool listLots returned a result that breaks its output schema"]);
    assert.is(addUser?.[1], ANSWERS["/users"]);
  } finally {
    await client.close();
  }
});

/** Prints what it is asked for, and writes down that it did. */
const PROGRAM = `
require("node:fs").appendFileSync("runs", "x");
process.stdout.write({ json: '[{"of":1}]', lines: "a\\nb\\n", cut: "[1,2,3,4,5,6]", none: "" }[process.argv[2]] ?? "");
`;

const programTool = (name: string, more: string, item = "type: object, required: [id]"): string =>
  `  - { name: ${name}, description: Prints ${name}., outputSchema: { type: array, items: { ${item} } }, exec: { command: [node, print.cjs, ${name}], ${more} } }`;

const PROGRAMS = `name: prints
version: 1.0.0
tools:
${programTool("json", "output: json")}
${programTool("lines", "output: lines", 'type: string, pattern: "^[0-9]+$"')}
${programTool("cut", "output: json, maxBytes: 9")}
${programTool("none", "output: json")}
`;

/** The texts of the results of some tools, each called once. */
async function textsOf(
  folder: string,
  names: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Record<string, readonly string[]>> {
  const client = await connectStdio(folder, "modern", env);
  try {
    await client.listTools();
    const texts: Record<string, readonly string[]> = {};
    for (const name of names) {
      const { content, isError } = await client.callTool({ name, arguments: {} });
      assert.is(isError, true, name);
      texts[name] = (content as { text: string }[]).map(({ text }) => text);
    }
    return texts;
  } finally {
    await client.close();
  }
}

/** The problem in a notice. */
const problemIn = (notice = ""): string | undefined =>
  /needs no repetition\. .*\((.*)\), so it follows as text:$/.exec(notice)?.[1];

test("what a program prints against the output schema reaches the model, unless its body is strict", async () => {
  const folder = await folders.make("unfit-outputs");
  await write(folder, "mcp.yaml", PROGRAMS);
  await write(folder, "print.cjs", PROGRAM);
  assert.is((await mcpwright(folder, "generate")).status, 0);
  await installShared(folder);
  await buildProject(folder);
  const {
    json = [],
    lines = [],
    cut = [],
    none = [],
  } = await textsOf(folder, [...["json", "lines", "cut", "none"]]);
  assert.equal(
    [problemIn(json[0]), ...json.slice(1)],
    ["required property 'id' is missing at /0", '[{"of":1}]'],
  );
  assert.equal([problemIn(lines[0]), ...lines.slice(1)], ["/0: pattern; /1: pattern", "a\nb\n"]);
  assert.equal(
    [problemIn(cut[0]), ...cut.slice(1)],
    ["it was cut after 9 bytes", "[1,2,3,4,\n[cut after 9 bytes]"],
  );
  assert.equal([problemIn(none[0]), ...none.slice(1)], ["it is empty", "exit status 0"]);
  assert.is(await readFile(join(folder, "runs"), "utf8"), "xxxx");

  await edit(folder, "mcp.yaml", (text) => text.replaceAll("output: json", "$&, strict: true"));
  const plan = await mcpwright(folder, "plan");
  assert.match(plan.out, /came as text, and are refused now\s+tools\.json\.exec\.strict /);
  assert.is((await mcpwright(folder, "generate")).status, 0);
  await buildProject(folder);
  const strictly = await textsOf(folder, ["json", "cut"]);
  assert.equal(strictly["json"], ["Tool json returned a result that breaks its output schema"]);
  assert.equal(strictly["cut"], ["The program node printed more than 9 bytes."]);
});

const rowsTool = (name: string, schema: string, query: string): string =>
  `  - { name: ${name}, description: Asks ${name}., outputSchema: ${schema}, sql: { database: depot, query: "${query}" } }`;

const LOT = "{ type: [object, 'null'], properties: { id: { type: integer } }, required: [id] }";

const STATEMENTS = `name: depot
version: 1.0.0
env: { DEPOT_DB: { required: true, secret: true } }
databases: { depot: { type: postgres, url: { env: DEPOT_DB } } }
tools:
${rowsTool("without_id", `{ type: array, items: ${LOT} }`, "select 'a' as name")}
${rowsTool("too_long", LOT, "select 9007199254740993 as id").replace('" }', '", row: true }')}
${rowsTool("add_two", LOT, "insert into lots values (1), (2) returning id").replace('" }', '", row: true, write: true }')}
`;

const whyWithoutDatabase = await LocalPostgres.whyWithout();

const testDatabase = whyWithoutDatabase === undefined ? test : test.skip;
if (whyWithoutDatabase !== undefined) console.log(`skipped: unfit rows (${whyWithoutDatabase})`);

testDatabase(
  "rows that break the output schema reach the model, unless their database is strict",
  async () => {
    const folder = await folders.make("unfit-rows");
    await write(folder, "mcp.yaml", STATEMENTS);
    assert.is((await mcpwright(folder, "generate")).status, 0);
    await installShared(folder);
    await buildProject(folder);
    const postgres = await LocalPostgres.start();
    try {
      await postgres.execute("create role tester login");
      await postgres.execute("create table lots (id int); grant all on lots to tester");
      const env = { DEPOT_DB: postgres.url("tester") };
      const names = ["without_id", "too_long", "add_two"];
      const {
        without_id: one = [],
        too_long: long = [],
        add_two: two = [],
      } = await textsOf(folder, names, env);
      assert.equal(
        [problemIn(one[0]), ...one.slice(1)],
        ["required property 'id' is missing at /0", '[{"name":"a"}]'],
      );
      assert.equal(
        [problemIn(long[0]), ...long.slice(1)],
        ["/id: type", '{"id":"9007199254740993"}'],
      );
      assert.equal(
        [problemIn(two[0]), ...two.slice(1)],
        ["it has more than one row", '[{"id":1}]', "This is the first row: there are more."],
      );

      await edit(folder, "mcp.yaml", (text) => text.replace("type: postgres", "$&, strict: true"));
      const plan = await mcpwright(folder, "plan");
      assert.match(plan.out, /came as text, and are refused now\s+databases\.depot /);
      assert.is((await mcpwright(folder, "generate")).status, 0);
      await buildProject(folder);
      const strictly = await textsOf(folder, names, env);
      assert.equal(strictly["add_two"], ["The database depot has more than one row for this."]);
      assert.equal(strictly["without_id"], [
        "Tool without_id returned a result that breaks its output schema",
      ]);
    } finally {
      await postgres.close();
    }
  },
);

test.run();
