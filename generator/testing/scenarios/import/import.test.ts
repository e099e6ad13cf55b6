import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Client } from "@modelcontextprotocol/client";
import { parse, parseDocument } from "yaml";
import { packageRoot } from "../../../text/package-root.js";
import type { JsonObject } from "../../../model/json.js";
import { installPackage } from "../../harness/runner/cached-package.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { buildProjects, testProjects } from "../../harness/projects/built-project.js";
import { mcpwright, type CommandResult } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { JudgingUpstream, type JudgedRequest } from "../../harness/services/judging-upstream.js";
import { connectStdio } from "../../harness/clients/project-clients.js";

/** `mcpwright import openapi`, from a document to the requests that the generated server sends. */

const test = suite("import");
const fixtures = fileURLToPath(new URL("generator/testing/fixtures/import-openapi/", packageRoot));
const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function folderWith(...documents: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-import-"));
  folders.push(folder);
  for (const name of documents) await copyFile(join(fixtures, name), join(folder, name));
  return folder;
}

interface Call {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** The projects that are called, in a folder of their own, and what their imports said. */
const projects = await folderWith();
const imports: CommandResult[] = [];
const manifests: string[] = [];

/** Imports the documents, each into the same project, whose manifest is that of the last, and generates. */
async function importInto(name: string, ...documents: string[]): Promise<void> {
  const folder = join(projects, name);
  await mkdir(folder);
  const path = join(folder, "mcp.yaml");
  for (const source of documents) {
    await copyFile(join(fixtures, source), join(folder, source));
    await rm(path, { force: true });
    imports.push(await mcpwright(folder, "import", "openapi", source));
    manifests.push(await readFile(path, "utf8"));
  }
  const manifest = parseDocument(await readFile(path, "utf8"));
  const { upstreams } = manifest.toJS() as { upstreams: JsonObject };
  // The upstream of this test is on a private address.
  for (const name of Object.keys(upstreams)) manifest.setIn(["upstreams", name, "private"], true);
  await writeFile(path, manifest.toString());
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
}

test.before(async () => {
  await importInto("shop", "shop-3.1.yaml");
  await importInto("library", "library-2.0.json", "library-3.0.json");
  const folders = ["shop", "library"].map((name) => join(projects, name));
  // Their generated tests run in the long form; here, servers are called.
  await shortOrLong<(folders: string[]) => Promise<unknown>>(buildProjects, testProjects)(folders);
});

/** Calls the tools of a project before an upstream that judges. */
async function called(
  name: string,
  document: object,
  urlVariable: string,
  basePath: string,
  env: Record<string, string>,
  calls: readonly Call[],
): Promise<readonly JudgedRequest[]> {
  const upstream = new JudgingUpstream(document, basePath);
  const url = `${await upstream.start()}${basePath}`;
  let client: Client | undefined;
  try {
    client = await connectStdio(join(projects, name), "modern", { ...env, [urlVariable]: url });
    for (const { tool, arguments: given } of calls) {
      const result = await client.callTool({ name: tool, arguments: given });
      const judged = JSON.stringify(upstream.requests.at(-1));
      assert.not.ok(result.isError, `${tool}: ${JSON.stringify(result.content)} ${judged}`);
    }
  } finally {
    await client?.close();
    upstream.stop();
  }
  return upstream.requests;
}

async function document(name: string): Promise<JsonObject> {
  return parse(await readFile(join(fixtures, name), "utf8")) as JsonObject;
}

test("every operation of a document of OpenAPI 3.1 sends the request that the document describes", async () => {
  const [imported] = imports;
  const { status, out = "", err = "" } = imported ?? {};
  assert.is(status, 0, out + err);
  assert.match(out, "9 of 12 operations, 1 left out");
  assert.match(
    err,
    /shop-3\.1\.yaml:\d+:\d+ +warning MW6110 +POST \/pictures is left out: it sends image\/png[^]*#\/paths\/~1pictures\/post\/requestBody\/content/,
  );
  const order = { total: 5.5, note: null };
  const calls: Call[] = [
    {
      tool: "getOrder",
      arguments: { id: 7, fields: ["id", "total"], "X-Trace": "t", session: "s" },
    },
    { tool: "replaceOrder", arguments: { id: 7, ...order } },
    { tool: "deleteOrder", arguments: { id: 7 } },
    {
      tool: "get_orders",
      arguments: {
        filter: { state: "open", min: 3 },
        ids: [1, 2],
        tags: ["a b", "c&d"],
        page: 2,
        sort: "id",
      },
    },
    { tool: "createOrder", arguments: { dry: true, ...order } },
    { tool: "storeTree", arguments: { name: "root", children: [{ name: "leaf", children: [] }] } },
    { tool: "addShape", arguments: { body: { kind: "circle", radius: 2 } } },
    { tool: "logIn", arguments: { user: "u & v", code: 7 } },
    { tool: "atPoint", arguments: { point: [3, 4], label: "x" } },
  ];
  const env = { SHOP_TOKEN: "secret-token", SHOP_KEY: "secret-key" };
  const text = await readFile(join(fixtures, "shop-3.1.yaml"), "utf8");
  // The judge knows no lists in paths.
  const judged = text.replace(
    /(name: point, in: path, required: true, schema:) .*/,
    "$1 { type: string } }",
  );
  const shop = parse(judged) as JsonObject;
  const requests = await called("shop", shop, "SHOP_URL", "/v1", env, calls);
  assert.equal(
    requests.flatMap(({ operation, problems }) =>
      problems.map((problem) => `${operation}: ${problem}`),
    ),
    [],
  );
  assert.equal(
    requests.map(({ operation }) => operation),
    [
      "getOrder",
      "replaceOrder",
      "deleteOrder",
      "GET /orders",
      "createOrder",
      "storeTree",
      "addShape",
      "logIn",
      "atPoint",
    ],
  );
  assert.equal(
    requests.map(({ authorization }) => authorization === "Bearer secret-token"),
    [true, true, false, false, true, true, true, true, true],
  );
  const [get, replace, , list, , , , , point] = requests;
  assert.is(get?.path, "/v1/orders/7?fields=id,total");
  assert.equal(JSON.parse(replace?.body ?? ""), order, "what is read-only is not sent");
  assert.match(list?.path ?? "", /filter%5Bstate%5D=open|filter\[state\]=open/);
  assert.match(list?.path ?? "", "tags=a%20b&tags=c%26d");
  assert.is(point?.path, "/v1/points/3,4/labels/.x");
});

test("a document of OpenAPI 2.0 gives the same manifest and requests as its equivalent in OpenAPI 3.0", async () => {
  const [, first, second] = imports;
  assert.match(first?.err ?? "", "POST /covers is left out: it has a part that is a file");
  assert.is(second?.err, "");
  const [, two, three] = manifests;
  assert.is(two?.replace("library-2.0", "library-3.0"), three);
  // The judge takes each schema for one of a newer JSON Schema.
  const text = JSON.stringify(await document("library-3.0.json"));
  const judged = JSON.parse(
    text.replace(/"maximum":10,"exclusiveMaximum":true/, '"exclusiveMaximum":10'),
  ) as object;
  const requests = await called(
    "library",
    judged,
    "LIBRARY_URL",
    "/api",
    { LIBRARY_USER_USERNAME: "u", LIBRARY_USER_PASSWORD: "secret-password" },
    [
      { tool: "findBooks", arguments: { tags: ["a", "b"], ids: [1, 2], limit: 9 } },
      { tool: "addBook", arguments: { title: "T", year: null } },
      { tool: "review", arguments: { text: 'a "b"', stars: 4, tags: ["x", "y"] } },
      { tool: "lend", arguments: { isbn: "1/2", reader: "r", days: 3 } },
    ],
  );
  assert.equal(
    requests.map(({ operation, problems }) => [operation, ...problems]),
    [["findBooks"], ["addBook"], ["review"], ["lend"]],
  );
  assert.is(requests[0]?.path, "/api/books?tags=a,b&ids=1&ids=2&limit=9");
});

test("import shows and selects operations, refuses bad input, and writes nothing in those cases", async () => {
  const folder = await folderWith("shop-3.1.yaml");
  const only = async (): Promise<string[]> => (await readdir(folder)).sort();
  const dry = await mcpwright(
    folder,
    "import",
    "openapi",
    "shop-3.1.yaml",
    "--dry-run",
    "--tag",
    "orders",
  );
  assert.is(dry.status, 0, dry.err);
  assert.match(dry.out, /^\+\+\+ mcp\.yaml\n@@ -0,0 \+1,\d+ @@\n\+# yaml/m);
  assert.match(dry.out, "Would write mcp.yaml with 5 of 12 operations.");
  const json = await mcpwright(
    folder,
    ...["import", "openapi", "shop-3.1.yaml", "--json", "--dry-run", "--path", "/old,/h*"],
    ...["--operation", "old", "--method", "get"],
  );
  assert.equal((JSON.parse(json.out) as JsonObject)["imported"], ["old"]);
  const none = await mcpwright(
    folder,
    ...["import", "openapi", "shop-3.1.yaml", "--tag", "orders", "--path", "/login"],
  );
  assert.is(none.status, 1);
  assert.match(none.err, "MW6121");
  assert.is((await mcpwright(folder, "import", "openapi", "missing.yaml")).status, 1);
  assert.is((await mcpwright(folder, "import", "soap", "shop-3.1.yaml")).status, 1);
  assert.is((await mcpwright(folder, "import", "openapi")).status, 1);
  assert.equal(await only(), ["shop-3.1.yaml"]);

  const done = await mcpwright(folder, "import", "openapi", "shop-3.1.yaml", "--no-output");
  assert.is(done.status, 0);
  assert.not.match(await readFile(join(folder, "mcp.yaml"), "utf8"), "outputSchema");
  const manifest = await readFile(join(folder, "mcp.yaml"), "utf8");
  const again = await mcpwright(folder, "import", "openapi", "shop-3.1.yaml");
  assert.is(again.status, 0);
  assert.is(again.out, "mcp.yaml stays as it is.\n");
  assert.is(await readFile(join(folder, "mcp.yaml"), "utf8"), manifest);
  await writeFile(join(folder, "mcp.yaml"), "name: mine\nversion: 1.0.0\n");
  const other = await mcpwright(folder, "import", "openapi", "shop-3.1.yaml");
  assert.is(other.status, 1, "a manifest that was not imported stays");
});

test("the operations of a large document are shown by tag", async () => {
  const folder = await folderWith();
  const paths = Array.from({ length: 41 }, (_, index) => [
    `/a${index}`,
    { get: { tags: [index % 2 === 0 ? "even" : "odd"], responses: {} } },
  ]);
  const large = {
    openapi: "3.1.0",
    info: { title: "Large" },
    paths: Object.fromEntries(paths) as object,
  };
  await writeFile(join(folder, "large.json"), JSON.stringify(large));
  const { status, out, err } = await mcpwright(folder, "import", "openapi", "large.json");
  assert.is(status, 1);
  assert.match(err, "MW6120");
  assert.match(out, "    21  even\n    20  odd\n");
  assert.equal(await readdir(folder), ["large.json"]);
});

/** The modules that a compiled module loads, at once or late, by the text of their imports. */
async function loaded(entry: string, without: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>([entry]);
  for (const path of found) {
    const text = await readFile(path, "utf8");
    for (const [, target = ""] of text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
      const module = join(path, "..", target);
      const isLeftOut = without.some((name) => module.endsWith(join("commands", name)));
      if (!isLeftOut && existsSync(module)) found.add(module);
    }
  }
  return found;
}

test("no other command loads the modules that import documents and query servers", async () => {
  const main = fileURLToPath(new URL("dist/generator/cli/main.js", packageRoot));
  // `diff` loads the second where its command line names a server.
  const own = ["import.js", "diff-server.js"];
  const isImporter = (path: string): boolean => /[/\\]generator[/\\]import[/\\]/.test(path);
  const others = await loaded(main, own);
  assert.ok(others.size > 100);
  assert.equal([...others].filter(isImporter), []);
  assert.ok([...(await loaded(main, []))].some(isImporter), "this command does");
});

test("public documents are imported, and operations that cannot be are left out with reasons", async () => {
  const root = await installPackage("@readme/oas-examples", "8.2.2");
  const examples = join(root, "node_modules/@readme/oas-examples");
  const folder = await folderWith();
  for (const name of [
    "2.0/json/petstore",
    "3.0/json/callbacks",
    "3.0/json/circular",
    "3.1/json/train-travel",
  ]) {
    const words = [join(examples, `${name}.json`), "--json", "--dry-run"];
    const { out } = await mcpwright(folder, "import", "openapi", ...words);
    const { imported, tags, diagnostics } = JSON.parse(out) as {
      imported: string[];
      tags: Record<string, number>;
      diagnostics: { code: string }[];
    };
    const wanted = Object.values(tags).reduce((sum, count) => sum + count, 0);
    const leftOut = diagnostics.filter(({ code }) => code === "MW6110").length;
    assert.ok(imported.length > 0, name);
    assert.is(imported.length + leftOut, wanted, name);
  }
});

test("a document in several files is imported, and imported again when one of them changes", async () => {
  const folder = await folderWith();
  const outside = await folderWith();
  const specs = join(folder, "specs");
  await mkdir(join(specs, "models"), { recursive: true });
  const pet = join(specs, "models/pet.yaml");
  const operation = (name: string, schema: string): string =>
    `  /${name}: { post: { operationId: ${name}, responses: {}, requestBody: { content: { application/json: { schema: { $ref: "${schema}" } } } } } }\n`;
  await writeFile(
    join(specs, "api.yaml"),
    `openapi: 3.1.0\ninfo: { title: Pets }\nservers: [{ url: https://pets.example }]\npaths:\n${operation("add", "models/pet.yaml")}${operation("leak", "models/link.yaml")}${operation("pipe", "models")}`,
  );
  await writeFile(pet, "type: object\nproperties: { name: { type: string } }\n");
  await writeFile(join(outside, "secret.yaml"), "type: object\n");
  await symlink(join(outside, "secret.yaml"), join(specs, "models/link.yaml"));
  const first = await mcpwright(folder, "import", "openapi", "specs/api.yaml");
  assert.is(first.status, 0, first.err);
  assert.match(first.err, "models/link.yaml#, which is not there");
  assert.match(first.err, "models#, which is not there");
  const manifest = join(folder, "mcp.yaml");
  await writeFile(
    manifest,
    (await readFile(manifest, "utf8")).replace("- name: add", "- name: add_pet"),
  );
  await writeFile(
    pet,
    "type: object\nproperties: { name: { type: string }, age: { type: integer } }\n",
  );
  const second = await mcpwright(folder, "import");
  assert.is(second.status, 0, second.err);
  const { tools } = parse(await readFile(manifest, "utf8")) as { tools: JsonObject[] };
  assert.equal(
    tools.map(({ name }) => name),
    ["add_pet", "leak", "pipe"],
  );
  for (const tool of tools.slice(1)) {
    assert.equal((tool["inputSchema"] as JsonObject)["properties"], { body: {} });
  }
  assert.equal((tools[0]?.["inputSchema"] as JsonObject)["properties"], {
    name: { type: "string" },
    age: { type: "integer" },
  });
});

test.run();
