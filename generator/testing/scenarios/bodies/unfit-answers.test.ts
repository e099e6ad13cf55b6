import { once } from "node:events";
import { cp, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LocalPostgres } from "../../../../templates/runtime/samples/local-postgres.js";
import { buildProjects } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { connectStdio } from "../../harness/clients/project-clients.js";
import { edit, TestFolders, write } from "../../harness/projects/project-folder.js";

/** A server whose API, programs and database answer otherwise than its manifest says. */

const folders = new TestFolders();
let upstream: Server | undefined;
let postgres: LocalPostgres | undefined;
const whyWithoutDatabase = await LocalPostgres.whyWithout();

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

/** Prints what it is asked for, and writes down that it did. */
const PROGRAM = `
require("node:fs").appendFileSync("runs", "x");
process.stdout.write({ json: '[{"of":1}]', lines: "a\\nb\\n", cut: "[1,2,3,4,5,6]", none: "" }[process.argv[2]] ?? "");
`;

const programTool = (name: string, more: string, item = "type: object, required: [id]"): string =>
  `  - { name: ${name}, description: Prints ${name}., outputSchema: { type: array, items: { ${item} } }, exec: { command: [node, print.cjs, ${name}], ${more} } }`;

const rowsTool = (name: string, schema: string, query: string): string =>
  `  - { name: ${name}, description: Asks ${name}., outputSchema: ${schema}, sql: { database: depot, query: "${query}" } }`;

const LOT = "{ type: [object, 'null'], properties: { id: { type: integer } }, required: [id] }";

/** Tools beside those of the API. */
const TOOLS = `
${programTool("json", "output: json")}
${programTool("lines", "output: lines", 'type: string, pattern: "^[0-9]+$"')}
${programTool("cut", "output: json, maxBytes: 9")}
${programTool("none", "output: json")}
${rowsTool("without_id", `{ type: array, items: ${LOT} }`, "select 'a' as name")}
${rowsTool("too_long", LOT, "select 9007199254740993 as id").replace('" }', '", row: true }')}
${rowsTool("add_two", LOT, "insert into lots values (1), (2) returning id").replace('" }', '", row: true, write: true }')}
`;

/** The imported manifest with these tools. One body of the API is strict. */
const withTools = (imported: string): string =>
  `${imported
    .replace("{baseUrl:", "{private: true, baseUrl:")
    .replace("method: POST,", "$& strict: true,")
    .replace("env:\n", "$&  DEPOT_DB: { required: true, secret: true }\n")
    .replace(
      "schemas:\n",
      "databases: { depot: { type: postgres, url: { env: DEPOT_DB } } }\n\n$&",
    )}${TOOLS}`;

/** The manifest where an upstream, the bodies of two programs and a database are strict, and the body of the API is not. */
const strictly = (manifest: string): string =>
  manifest
    .replace("strict: true", "strict: false")
    .replace("private: true", "$&, strict: true")
    .replaceAll("output: json", "$&, strict: true")
    .replace("type: postgres", "$&, strict: true");

/** Clients of the server, and of the same where what was not strict is, and what the plan said of the change. */
let [lenient, older, strict]: Client[] = [];
let folder = "";
let plan = "";

test.before(async () => {
  folder = await folders.make("unfit-answers");
  await write(folder, "depot.yaml", DOCUMENT);
  await write(folder, "print.cjs", PROGRAM);
  const { status, err } = await mcpwright(folder, "import", "openapi", "depot.yaml");
  assert.is(status, 0, err);
  await edit(folder, "mcp.yaml", withTools);
  const generated = await mcpwright(folder, "generate");
  assert.is(generated.status, 0, generated.err);
  const changed = await folders.make("unfit-answers-refused");
  await cp(folder, changed, { recursive: true });
  await edit(changed, "mcp.yaml", strictly);
  plan = (await mcpwright(changed, "plan")).out;
  assert.is((await mcpwright(changed, "generate")).status, 0);
  await Promise.all([folder, changed].map(installShared));
  await buildProjects([folder, changed]);
  const env = { DEPOT_URL: await started(), DEPOT_DB: await database() };
  [lenient, older, strict] = await Promise.all([
    connectStdio(folder, "modern", env),
    connectStdio(folder, "legacy", env),
    connectStdio(changed, "modern", env),
  ]);
});
test.after(async () => {
  await Promise.all([lenient, older, strict].map((client) => client?.close()));
  upstream?.close();
  await postgres?.close();
  await folders.remove();
});

async function started(): Promise<string> {
  upstream = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(ANSWERS[request.url ?? ""]);
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
}

/** The URL of a database with the table that the statements need; of none where there is no Postgres. */
async function database(): Promise<string> {
  if (whyWithoutDatabase !== undefined) return "postgres://tester@127.0.0.1:1/tests";
  postgres = await LocalPostgres.start();
  await postgres.execute("create role tester login");
  await postgres.execute("create table lots (id int); grant all on lots to tester");
  return postgres.url("tester");
}

/** The texts of the results of some tools, each called once. The official client refuses results that break the output schema. */
async function textsOf(
  client: Client | undefined,
  names: readonly string[],
): Promise<Record<string, readonly string[]>> {
  if (client === undefined) throw new Error("no client");
  await client.listTools();
  const texts: Record<string, readonly string[]> = {};
  for (const name of names) {
    const { content, isError } = await client.callTool({ name, arguments: {} });
    assert.is(isError, true, name);
    texts[name] = (content as { text: string }[]).map(({ text }) => text);
  }
  return texts;
}

/** The problem in a notice. */
const problemIn = (notice = ""): string | undefined =>
  /needs no repetition\. .*\((.*)\), so it follows as text:$/.exec(notice)?.[1];

/** The places of which the plan says that what came as text is refused now. */
const refusedNow = (): string =>
  /came as text, and are refused now\s+([^]*?)\n\n/.exec(plan)?.[1] ?? "";

test("what an API answers against its document reaches the model, unless a body or an upstream is strict", async () => {
  const names = ["listLots", "addUser", "empty"];
  for (const client of [lenient, older]) {
    const { listLots = [], addUser, empty = [] } = await textsOf(client, names);
    const [notice, ...shown] = listLots;
    assert.match(notice ?? "", "required property 'name' is missing at /items/1");
    assert.equal(shown, [ANSWERS["/lots"]]);
    assert.equal(addUser, ["Tool addUser returned a result that breaks its output schema"]);
    assert.match(empty[0] ?? "", "it is empty");
    assert.equal(empty.slice(1), ["200 OK"]);
  }

  assert.match(refusedNow(), /upstreams\.depot /);
  assert.match(plan, /were refused, and come as text now\s+tools\.addUser\.http\.strict /);
  const { listLots, addUser } = await textsOf(strict, names);
  assert.equal(listLots, ["Tool listLots returned a result that breaks its output schema"]);
  assert.is(addUser?.[1], ANSWERS["/users"]);
});

test("what a program prints against the output schema reaches the model, unless its body is strict", async () => {
  const {
    json = [],
    lines = [],
    cut = [],
    none = [],
  } = await textsOf(lenient, ["json", "lines", "cut", "none"]);
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

  assert.match(refusedNow(), /tools\.json\.exec\.strict /);
  const refused = await textsOf(strict, ["json", "cut"]);
  assert.equal(refused["json"], ["Tool json returned a result that breaks its output schema"]);
  assert.equal(refused["cut"], ["The program node printed more than 9 bytes."]);
});

const testDatabase = whyWithoutDatabase === undefined ? test : test.skip;
if (whyWithoutDatabase !== undefined) console.log(`skipped: unfit rows (${whyWithoutDatabase})`);

testDatabase(
  "rows that break the output schema reach the model, unless their database is strict",
  async () => {
    const names = ["without_id", "too_long", "add_two"];
    const {
      without_id: one = [],
      too_long: long = [],
      add_two: two = [],
    } = await textsOf(lenient, names);
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

    assert.match(refusedNow(), /databases\.depot /);
    const refused = await textsOf(strict, names);
    assert.equal(refused["add_two"], ["The database depot has more than one row for this."]);
    assert.equal(refused["without_id"], [
      "Tool without_id returned a result that breaks its output schema",
    ]);
  },
);

test.run();
