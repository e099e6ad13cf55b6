import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { buildProject } from "../../harness/projects/built-project.js";
import { installShared, mcpwright } from "../../harness/projects/generated-project.js";
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

test.run();
