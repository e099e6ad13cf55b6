import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../../model/json.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import {
  commit,
  edit,
  git,
  read,
  TestFolders,
  write,
} from "../../harness/projects/project-folder.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** `mcpwright import` into a manifest that it made, as people call it, alone and on two branches. */

const folders = new TestFolders();
test.after(folders.remove);

const operation = (id: string, summary: string): string =>
  `  /${id}:
    get:
      operationId: ${id}
      summary: ${summary}
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 100 } }]
      responses: {}
`;

const HEAD = "openapi: 3.1.0\ninfo: {title: Pets}\nservers: [{url: https://a.example}]\npaths:\n";
const IDS = ["cats", "dogs", "eels", "fish"];
const PETS = HEAD + IDS.map((id) => operation(id, `List ${id}`)).join("");

/** A repository in which the document was imported and committed. */
async function imported(name: string): Promise<string> {
  const folder = await folders.make(name);
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await write(folder, "pets.yaml", PETS);
  const { status, out, err } = await mcpwright(folder, "import", "openapi", "pets.yaml");
  assert.is(status, 0, out + err);
  await commit(folder, "Begin");
  return folder;
}

test("import shows a diff, exits with the documented statuses, and writes the manifest and the import record", async () => {
  const folder = await imported("import-update");
  await edit(folder, "mcp.yaml", (text) =>
    `\uFEFF${text.replace("title: List dogs", "title: My dogs # mine")}`.replaceAll("\n", "\r\n"),
  );
  await commit(folder, "Edit");
  await edit(
    folder,
    "pets.yaml",
    (text) =>
      text.replace("List cats", "All cats").replace("List dogs", "All dogs") +
      operation("goats", "List goats"),
  );
  const before = await read(folder, "mcp.yaml");
  const dry = await mcpwright(folder, "import", "--dry-run");
  assert.is(dry.status, 3);
  assert.match(dry.out, "--- a/mcp.yaml\n+++ b/mcp.yaml\n");
  assert.match(dry.out, "-    title: List cats");
  assert.match(dry.out, "+    title: All cats");
  assert.match(dry.out, "Would write mcp.yaml: updated cats, dogs.\n");
  assert.match(dry.err, /mcp\.yaml:\d+:\d+ +error MW6140 +tools\.dogs\.title was changed here/);
  assert.is(await git(folder, "status", "--porcelain"), " M pets.yaml\n");

  const json = await mcpwright(folder, "import", "openapi", "pets.yaml", "--json");
  assert.is(json.status, 3);
  const { updated, offered, diagnostics } = JSON.parse(json.out) as JsonObject;
  assert.equal([updated, offered], [["cats", "dogs"], ["GET /goats"]]);
  assert.equal(
    (diagnostics as JsonObject[]).map(({ code }) => code),
    ["MW6140"],
  );
  const after = await read(folder, "mcp.yaml");
  assert.is(
    after,
    before
      .replaceAll("List cats", "All cats")
      .replace("description: List dogs", "description: All dogs"),
  );
  const again = await mcpwright(folder, "import");
  assert.equal([again.status, again.out], [0, "mcp.yaml stays as it is.\n"]);
  const named = await mcpwright(folder, "import", "--operation", "goats");
  assert.is(named.status, 0, named.err);
  assert.match(named.out, "Wrote mcp.yaml: added goats.");
  assert.is((await mcpwright(folder, "validate")).status, 0);
  assert.is(await git(folder, "status", "--porcelain", "--", ".mcpwright"), "");
});

test("import updates a tool whose result the author selects, and writes no schema that follows from the selection", async () => {
  const folder = await folders.make("import-selected");
  const cats = (parts: string): string =>
    `${HEAD}${operation("cats", "List cats").replace("responses: {}", `responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {${parts}}}}}}}}`)}`;
  await write(folder, "pets.yaml", cats("name: {type: string}"));
  await mcpwright(folder, "import", "openapi", "pets.yaml");
  const selecting = `    http:
      upstream: pets
      path: /cats
      result:
        answerSchema: {type: array, items: {type: object, properties: {name: {type: string}}}}
        select: "[].{called: name}"
    examples:
      - {name: one, arguments: {}, http: {body: [{name: Tom}]}, result: [{called: Tom}]}
`;
  await edit(folder, "mcp.yaml", (text) =>
    text.replace(/ {4}outputSchema:[^]*?(?= {4}x-import:)/, selecting),
  );
  await write(folder, "pets.yaml", cats("name: {type: string}, age: {type: integer}"));
  const before = await read(folder, "mcp.yaml");
  const { status, out, err } = await mcpwright(folder, "import");
  assert.is(status, 0, out + err);
  assert.is(
    await read(folder, "mcp.yaml"),
    before.replace("name: {type: string}}", "name: {type: string}, age: {type: integer}}"),
  );
});

test("import --list shows the state of each operation and writes nothing", async () => {
  const folder = await imported("import-list");
  await edit(folder, "mcp.yaml", (text) =>
    text.replace(/^ {2}- name: dogs\n(?: {4}.*\n|\n(?= {4}))*/m, ""),
  );
  await edit(
    folder,
    "pets.yaml",
    (text) =>
      text.replace(
        "/cats:\n    get:\n      operationId: cats",
        "/lions:\n    get:\n      operationId: lions",
      ) + operation("goats", "List goats"),
  );
  await commit(folder, "Edit");
  const { status, out, err } = await mcpwright(folder, "import", "--list");
  assert.is(status, 0, err);
  assert.match(out, "pets.yaml: ");
  assert.match(out, "\n  new       GET /goats  goats  List goats\n");
  assert.match(out, "\n  new       GET /lions  lions  List cats\n");
  assert.match(out, "\n  deleted   GET /dogs   dogs   List dogs\n");
  assert.match(out, "\n  gone      GET /cats          cats\n");
  const one = await mcpwright(folder, "import", "--list", "--operation", "goats", "--json");
  const { documents } = JSON.parse(one.out) as { documents: { operations: JsonObject[] }[] };
  assert.equal(documents[0]?.operations, [
    {
      operation: "GET /goats",
      state: "new",
      operationId: "goats",
      summary: "List goats",
      tags: [],
    },
  ]);
  assert.is(await git(folder, "status", "--porcelain"), "");

  const other = await mcpwright(
    folder,
    "import",
    "openapi",
    "pets.yaml",
    "--list",
    "-o",
    "x/mcp.yaml",
  );
  assert.is(other.status, 0, other.err);
  assert.match(other.out, "\n  not chosen  GET /goats  goats  List goats\n");
  assert.is(await git(folder, "status", "--porcelain"), "");
});

test("the handler of a tool follows when the document renames its operation", async () => {
  const folder = await imported("import-rename");
  await edit(folder, "mcp.yaml", (text) =>
    text.replace(/\n {4}http: \{upstream: pets, path: \/cats\}/, ""),
  );
  assert.is((await mcpwright(folder, "generate")).status, 0);
  await edit(folder, "src/tools/cats.ts", (text) => `// My cats.\n${text}`);
  await edit(folder, "pets.yaml", (text) =>
    text.replace("operationId: cats", "operationId: lions"),
  );
  const { status, err } = await mcpwright(folder, "import");
  assert.is(status, 0, err);
  assert.match(await read(folder, "mcp.yaml"), "  - name: lions\n    renamedFrom: cats\n");
  assert.is((await mcpwright(folder, "generate")).status, 0);
  assert.match(await read(folder, "src/tools/lions.ts"), "// My cats.");
});

/** A branch from `main` on which the document has changed and was imported. */
async function branch(folder: string, name: string, change: (text: string) => string) {
  await git(folder, "checkout", "--quiet", "-b", name, "main");
  await edit(folder, "pets.yaml", change);
  const { status, err } = await mcpwright(folder, "import", "--path", "/**");
  assert.is(status, 0, err);
  await commit(folder, name);
}

test("two branches that import different updates merge, and nothing is left to import", async () => {
  const folder = await imported("import-merge");
  const news = operation("eagles", "List eagles");
  await branch(folder, "one", (text) => text.replace("List cats", "All cats"));
  await branch(folder, "two", (text) =>
    text.replace("List fish", "All fish").replace("  /eels", `${news}  /eels`),
  );
  await git(folder, "merge", "--quiet", "--no-edit", "one");
  const again = await mcpwright(folder, "import");
  assert.equal([again.status, again.out], [0, "mcp.yaml stays as it is.\n"]);
  assert.is(await git(folder, "status", "--porcelain"), "");
  const text = await read(folder, "mcp.yaml");
  for (const title of ["All cats", "All fish", "List eagles"]) assert.match(text, title);
});

test("if both branches imported the same field, the next import resolves the record", async () => {
  const folder = await imported("import-conflict");
  await branch(folder, "one", (text) => text.replace("List cats", "All cats"));
  await branch(folder, "two", (text) => text.replace("List cats", "Some cats"));
  await git(folder, "merge", "--quiet", "--no-edit", "one").catch(() => "conflicts");
  for (const path of ["mcp.yaml", "pets.yaml"]) await git(folder, "checkout", "--ours", path);
  assert.match(await read(folder, "mcpwright.import.lock.json"), "<<<<<<<");
  const { status, out, err } = await mcpwright(folder, "import");
  assert.equal([status, out], [0, "mcp.yaml stays as it is.\n"], err);
  assert.not.match(await read(folder, "mcpwright.import.lock.json"), "<<<<<<<");
  assert.match(await read(folder, "mcp.yaml"), "Some cats");
});

/** The imported manifest in several files: its tools in one, and its variables in another. */
async function importedInFiles(name: string, into = ""): Promise<string> {
  const folder = await imported(name);
  const text = await read(folder, "mcp.yaml");
  const [, main = "", tools = ""] = /^([^]*?)(^tools:\n[^]*)$/m.exec(text) ?? [];
  const [first = "", ...others] = tools.slice("tools:\n".length).split(/^(?= {2}- name:)/m);
  const section = /^env:\n(?: .*\n)+/m.exec(main)?.[0] ?? "";
  assert.is(others.length, 3);
  await write(folder, "env.yaml", section);
  await write(folder, "tools/a.yaml", `# A\ntools:\n${first}${others[0]}`);
  await write(folder, "tools/b.yaml", `\uFEFF# B\ntools:\n${others.slice(1).join("")}`);
  const head = main.replace(section, "").replace("openapi: pets.yaml", `$&${into}`);
  await write(folder, "mcp.yaml", `${head}include: [env.yaml, tools/*.yaml]\n`);
  return folder;
}

test("an update of a manifest in several files writes into the file that has the item", async () => {
  const folder = await importedInFiles("import-files");
  const unchanged = await mcpwright(folder, "import");
  assert.equal([unchanged.status, unchanged.err], [0, ""], unchanged.out);
  assert.match(unchanged.out, "mcp.yaml stays as it is.");
  const before = await Promise.all(["mcp.yaml", "tools/a.yaml"].map((path) => read(folder, path)));
  await edit(folder, "pets.yaml", (text) =>
    text.replace("List fish", "All fish").replace("https://a.example", "https://b.example"),
  );
  await edit(folder, "pets.yaml", (text) => text + operation("goats", "List goats"));
  const dry = await mcpwright(folder, "import", "--dry-run");
  assert.match(dry.out, "--- a/tools/b.yaml\n+++ b/tools/b.yaml\n");
  const { status, out, err } = await mcpwright(folder, "import", "--operation", "GET /goats");
  assert.is(status, 0, out + err);
  assert.match(out, /^Wrote env\.yaml, tools\/b\.yaml: updated fish; added goats\./);
  const after = await Promise.all(["mcp.yaml", "tools/a.yaml"].map((path) => read(folder, path)));
  assert.equal(after, before);
  const second = await read(folder, "tools/b.yaml");
  assert.match(second, /^\uFEFF# B\ntools:\n[^]*All fish[^]*name: goats/);
  assert.match(await read(folder, "env.yaml"), "https://b.example");
  const validated = await mcpwright(folder, "validate");
  assert.match(validated.out, "5 tools", validated.err);
});

test("with `into`, new items are written into that file", async () => {
  const folder = await importedInFiles("import-into", ", into: tools/a.yaml");
  const others = await read(folder, "tools/b.yaml");
  await edit(folder, "pets.yaml", (text) => text + operation("goats", "List goats"));
  const { status, out, err } = await mcpwright(folder, "import", "--operation", "GET /goats");
  assert.is(status, 0, out + err);
  assert.match(await read(folder, "tools/a.yaml"), /name: dogs[^]*name: goats/);
  assert.is(await read(folder, "tools/b.yaml"), others);
});

/** In short, the file that nothing includes yet. */
const NEW_FILES = [
  ...shortOrLong<readonly (readonly [into: string, include: string])[]>(
    [],
    [["tools/aa.yaml", "[env.yaml, tools/*.yaml]"]],
  ),
  ["more/new.yaml", "[env.yaml, tools/*.yaml, more/new.yaml]"],
] as const;
for (const [into, include] of NEW_FILES) {
  test(`\`into: ${into}\` makes that file once there is something new, and the manifest includes it`, async () => {
    const folder = await importedInFiles("import-into-new", `, into: ${into}`);
    const before = await read(folder, "mcp.yaml");
    const unchanged = await mcpwright(folder, "import");
    assert.match(unchanged.out, "mcp.yaml stays as it is.", unchanged.err);
    assert.not.ok(existsSync(join(folder, into)));
    await edit(folder, "pets.yaml", (text) => text + operation("goats", "List goats"));
    const dry = await mcpwright(folder, "import", "--operation", "GET /goats", "--dry-run");
    assert.match(dry.out, `+++ b/${into}\n`);
    assert.is(await read(folder, "mcp.yaml"), before);
    const { status, out, err } = await mcpwright(folder, "import", "--operation", "GET /goats");
    assert.is(status, 0, out + err);
    const text = await read(folder, into);
    assert.match(
      text,
      /^# yaml-language-server: \$schema=\.\.\/node_modules\S+\ntools:\n {2}- name: goats\n/,
    );
    assert.match(await read(folder, "mcp.yaml"), `include: ${include}\n`);
    assert.match((await mcpwright(folder, "validate")).out, "5 tools");
    const again = await mcpwright(folder, "import");
    assert.equal([again.status, again.err], [0, ""]);
    assert.match(again.out, "mcp.yaml stays as it is.");
  });
}

test("`into` of a manifest without `include` makes the first file", async () => {
  const folder = await imported("import-into-first");
  await edit(folder, "mcp.yaml", (text) =>
    text.replace("openapi: pets.yaml", "$&, into: new.yaml"),
  );
  await edit(folder, "pets.yaml", (text) => text + operation("goats", "List goats"));
  const { status, out, err } = await mcpwright(folder, "import", "--operation", "GET /goats");
  assert.is(status, 0, out + err);
  assert.match(await read(folder, "mcp.yaml"), /^include:/m);
  assert.match(await read(folder, "new.yaml"), "name: goats");
  assert.match((await mcpwright(folder, "validate")).out, "5 tools");
});

test("`into` of a file that cannot be included, or that exists and is not, is a mistake", async () => {
  const folder = await importedInFiles("import-into-wrong", ", into: tools/a.yaml");
  for (const [into, message] of [
    ["pets.yaml", "into names a file that exists and that the manifest does not include"],
    ["../new.yaml", "into must name a YAML file below the folder of the manifest"],
    ["tools/new.txt", "into must name a YAML file below the folder of the manifest"],
    ["tools/x*.yaml", "into must name a YAML file below the folder of the manifest"],
  ] as const) {
    await edit(folder, "mcp.yaml", (text) => text.replace(/into: [^ }]+/, `into: ${into}`));
    const { status, err } = await mcpwright(folder, "import");
    assert.is(status, 1);
    assert.match(err, `error MW6144  ${message}`);
  }
});

test.run();
