import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../../model/json.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { edit, read, TestFolders, write } from "../../harness/projects/project-folder.js";

/** What `mcpwright import` says of options that choose operations. */

const folders = new TestFolders();
test.after(folders.remove);

const DOCUMENT = `openapi: 3.1.0
info: { title: Shop }
servers: [{ url: https://a.example }]
paths:
  /orders:
    get: { operationId: listOrders, tags: ["Orders, open"], responses: {} }
    post: { operationId: addOrder, tags: ["Orders, open"], responses: {} }
  /items/{id}:
    get: { operationId: getItem, tags: [items], responses: {} }
  /old/orders:
    get: { operationId: oldOrders, tags: [old], deprecated: true, responses: {} }
  /untold:
    get: { responses: {} }
  /broken:
    get: []
`;

async function folderWith(name: string): Promise<string> {
  const folder = await folders.make(name);
  await write(folder, "shop.yaml", DOCUMENT);
  return folder;
}

/** The tools that a first import with these options makes, or its errors. */
async function imported(folder: string, ...options: string[]) {
  const words = ["import", "openapi", "shop.yaml", "--dry-run", "--json", ...options];
  const { status, out } = await mcpwright(folder, ...words);
  const { imported, diagnostics } = JSON.parse(out) as {
    imported?: string[];
    diagnostics: { severity: string; code: string; message: string; hint?: string }[];
  };
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return {
    status,
    imported,
    said: errors.map(({ code, message }) => `${code} ${message}`),
    errors,
  };
}

test("operations that are named add up with those that tags, paths and methods choose", async () => {
  const folder = await folderWith("selection-sum");
  const of = async (...options: string[]) => (await imported(folder, ...options)).imported;
  assert.equal(await of("--tag", "items", "--operation", "addOrder"), ["addOrder", "getItem"]);
  assert.equal(await of("--operation", "oldOrders", "--path", "/items/*"), [
    "getItem",
    "oldOrders",
  ]);
  assert.equal(await of("--operation", "addOrder", "--method", "POST"), ["addOrder"]);
  assert.equal(await of("--operation", "addOrder"), ["addOrder"]);
  assert.equal(
    await of("--path", "/**", "--operation", "old orders,oldOrders", "--exclude", "getItem"),
    undefined,
    "one of the names is unknown",
  );
  assert.equal(await of("--tag", "items", "--operation", "getItem", "--exclude", "GET /orders"), [
    "getItem",
  ]);
});

test("a name that the document does not have is an error that offers the nearest ones", async () => {
  const folder = await folderWith("selection-unknown");
  const CASES: readonly (readonly [options: readonly string[], said: string])[] = [
    [["--tag", "item"], 'the document has no tag "item"; did you mean "items"?'],
    [["--tag", "orders"], 'the document has no tag "orders"; did you mean "Orders, open"?'],
    [["--tag", "nothing at all"], 'the document has no tag "nothing at all"'],
    [["--tag", ""], 'the document has no tag ""'],
    [
      ["--operation", "order"],
      'the document has no operation "order"; did you mean "listOrders", "GET /orders" or "addOrder"?',
    ],
    [
      ["--operation", "get /orders"],
      'the document has no operation "get /orders"; did you mean "GET /orders"?',
    ],
    [
      ["--exclude", "getItems", "--path", "/**"],
      'the document has no operation "getItems"; did you mean "getItem"?',
    ],
    [["--path", "/item/*"], 'the document has no path "/item/*"; did you mean "/items/{id}"?'],
    [
      ["--path", "orders"],
      'the document has no path "orders"; did you mean "/orders" or "/old/orders"?',
    ],
    [["--method", "PATHC"], 'the document has no method "PATHC"'],
    [["--method", "pst"], 'the document has no method "pst"; did you mean "POST"?'],
  ];
  for (const [options, message] of CASES) {
    const { status, said } = await imported(folder, ...options);
    assert.equal([status, ...said], [1, `MW6123 ${message}`], options.join(" "));
  }
  const several = await imported(folder, "--tag", "items,old,none", "--operation", "x,getItem");
  assert.equal(several.said, [
    'MW6123 the document has no tag "none"',
    'MW6123 the document has no operation "x"',
  ]);
});

test("names with a comma, names of operations that cannot be read, and operations without a tag are known", async () => {
  const folder = await folderWith("selection-known");
  const tools = async (...options: string[]) => (await imported(folder, ...options)).imported;
  assert.equal(await tools("--tag", "Orders, open"), ["listOrders", "addOrder"]);
  assert.equal(await tools("--tag", "(no tag), items"), ["getItem", "get_untold"]);
  assert.equal(await tools("--tag", "items", "--exclude", "GET /broken"), ["getItem"]);
  const none = await imported(folder, "--tag", "items", "--method", "post");
  assert.equal([none.status, ...none.said], [1, "MW6121 there is no operation to import"]);
  const old = await imported(folder, "--tag", "old");
  assert.equal(old.said, [
    "MW6121 there is no operation to import: 1 that would fit is deprecated or hidden by the document",
  ]);
  assert.match(old.errors[0]?.hint ?? "", "--operation");
});

test("an update and --list refuse unknown names too, and write nothing", async () => {
  const folder = await folderWith("selection-update");
  const first = await mcpwright(folder, "import", "openapi", "shop.yaml", "--tag", "items");
  assert.is(first.status, 0, first.err);
  const before = await read(folder, "mcp.yaml");
  await edit(folder, "shop.yaml", (text) =>
    text.replace("operationId: getItem", "$&, summary: One"),
  );
  for (const options of [
    ["--operation", "addOrders"],
    ["--tag", "items", "--method", "post"],
  ]) {
    const { status, err } = await mcpwright(folder, "import", ...options);
    assert.is(status, 1, options.join(" "));
    assert.match(err, /MW6123|MW6121/);
  }
  assert.is(await read(folder, "mcp.yaml"), before);
  const list = await mcpwright(folder, "import", "--list", "--tag", "itms");
  assert.is(list.status, 1);
  assert.match(list.err, 'did you mean "items"?');
  const added = await mcpwright(folder, "import", "--tag", "items", "--operation", "oldOrders");
  assert.match(added.out, "updated getItem; added oldOrders", added.err);
});

test("--list shows the ids of operations, which choose them", async () => {
  const folder = await folderWith("selection-list");
  const { out } = await mcpwright(folder, "import", "openapi", "shop.yaml", "--list");
  assert.match(out, "\n  not chosen  GET /orders      listOrders\n");
  assert.match(out, "\n  not chosen  GET /old/orders  oldOrders   (deprecated)\n");
  assert.match(out, "\n  not chosen  GET /untold\n");
  const json = await mcpwright(folder, "import", "openapi", "shop.yaml", "--list", "--json");
  const { documents } = JSON.parse(json.out) as { documents: { operations: JsonObject[] }[] };
  const [listed] = documents;
  assert.equal(
    listed?.operations.map(({ operationId }) => operationId),
    ["listOrders", "addOrder", "getItem", "oldOrders", undefined],
  );
});

test("--list with a selection says which operations an import of it would add", async () => {
  const folder = await folderWith("selection-chosen");
  const list = async (...options: string[]) =>
    (await mcpwright(folder, "import", "openapi", "shop.yaml", "--list", ...options)).out;
  const tagged = await list("--tag", "Orders, open");
  assert.match(tagged, "\n  chosen  GET /orders   listOrders\n");
  assert.not.match(tagged, "not chosen");
  assert.match(await list("--exclude", "getItem"), "\n  chosen  GET /orders ");
  await mcpwright(folder, "import", "openapi", "shop.yaml", "--tag", "items");
  const named = await list("--operation", "getItem,addOrder");
  assert.match(named, /^ {2}chosen +POST \/orders +addOrder$/m);
  assert.match(named, /^ {2}imported +GET \/items\/\{id\} +getItem/m);
});

test("options that have no meaning for what is imported are refused", async () => {
  const folder = await folderWith("selection-misplaced");
  const refused = async (...words: string[]) => (await mcpwright(folder, "import", ...words)).err;
  const server = ["--", process.execPath, "none.mjs"];
  assert.match(
    await refused("server", "--tag", "a", ...server),
    'MW5002  `mcpwright import server` has no option "--tag"',
  );
  assert.match(await refused("server", "--list", ...server), 'has no option "--list"');
  assert.match(
    await refused("openapi", "shop.yaml", "--proxy"),
    '`mcpwright import openapi` has no option "--proxy"',
  );
});

test.run();
