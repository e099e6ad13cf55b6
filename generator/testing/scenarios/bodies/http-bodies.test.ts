import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { testProjects } from "../../harness/projects/built-project.js";
import {
  editManifest,
  FixtureProject,
  runCommand,
  withoutHeader,
} from "../../harness/projects/fixture-project.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { answersOf } from "../../harness/clients/in-process-answers.js";
import { consentPage, generatedIssues, liveConsentStory } from "../../made/consent-story.js";
import { withBlocks } from "../../made/evolution-story.js";

/** A project whose tools are requests of the manifest, from its first generation to its own code and back. */
const fixture = new FixtureProject("http-bodies");
/** The project as it is generated first, and `examples/issues`, once a test has built them. */
let [built, issues] = ["", ""];

test.after(async () => {
  await fixture.remove();
});

const read = async (folder: string, path: string): Promise<string> =>
  readFile(join(folder, path), "utf8");

test("the generated code of an HTTP body looks hand-written", async () => {
  const folder = await fixture.copy();
  assert.is(
    withoutHeader(await read(folder, "src/generated/bodies/tools/find-books.ts")),
    `import { path, ToolError, type ToolHandler } from "../../index.ts";

/** GET /shelves/{shelf}/books of the upstream \`books\`. */
export const findBooks: ToolHandler<"find_books"> = async ({ shelf, tag, page }, ctx) => {
  const answer = await ctx.upstreams.books.get(path\`/shelves/\${shelf}/books\`, {
    query: { tag, page },
    maxBytes: 65536,
  });
  if (answer.status === 404) throw new ToolError(\`There is no shelf \${shelf}.\`);
  return answer.result({ from: "/items", fields: ["id", "title"] });
};
`,
  );
  const got = await read(folder, "src/generated/bodies/tools/get-book.ts");
  assert.match(got, "ctx.upstreams.books.get(path`/books/${id}`)");
  const removed = await read(folder, "src/generated/bodies/tools/remove-book.ts");
  assert.match(removed, "ctx.upstreams.books.delete(path`/books/${id}`, { query: { why } })");
});

test("the generated code of a list that models page through looks hand-written", async () => {
  const folder = await fixture.copy();
  assert.is(
    withoutHeader(await read(folder, "src/generated/bodies/tools/shelved-books.ts")),
    `import { path, type ToolHandler } from "../../index.ts";

/** GET /rooms/{room}/books of the upstream \`books\`. */
export const shelvedBooks: ToolHandler<"shelved_books"> = async ({ room, cursor }, ctx) => {
  const answer = await ctx.upstreams.books.get(path\`/rooms/\${room}/books\`, {
    query: { sort: "title" },
    retries: { max: 3, on: [503] },
    pages: {
      items: "/books",
      cursor: { query: "after", from: "/next" },
      maxPages: 1,
      expose: { cursor },
    },
  });
  if (answer.status === 404) return answer.withHeaders(
    { items: [] },
    { total: "X-Total-Count", asked: "Date" },
  );
  return answer.result({ headers: { total: "X-Total-Count", asked: "Date" } });
};
`,
  );
  const lent = await read(folder, "src/generated/bodies/tools/lend-book.ts");
  assert.match(lent, 'return answer.withHeaders({ body: { lent: id } }, { version: "ETag" });');
  assert.match(lent, 'return answer.result({ headers: { version: "ETag" } });');
  const back = await read(folder, "src/generated/bodies/tools/return-book.ts");
  assert.match(back, "retries: { max: 0, on: [429, 502, 503, 504] },");
  assert.match(back, "if (answer.status === 204) return `The book ${id} is back.`;");
  const types = await read(folder, "src/generated/tools/shelved-books.ts");
  assert.match(types, /items: Book\[\];[^]*nextCursor\?: string;[^]*total\?: string;/);
  assert.match(types, /cursor\?: string;/);
  assert.match(await read(folder, "src/generated/server.ts"), "pageCursors()");
});

test("the generated code of resources with HTTP bodies looks hand-written", async () => {
  const folder = await fixture.copy();
  assert.is(
    withoutHeader(await read(folder, "src/generated/bodies/resources/book.ts")),
    `import {
  NotFoundError,
  path,
  textOf,
  ToolError,
  type ResourceTemplateHandler,
} from "../../index.ts";

/** GET /books/{id} of the upstream \`books\`. */
export const book: ResourceTemplateHandler<"book"> = async (
  { id, edition, class: _class },
  ctx,
) => {
  const answer = await ctx.upstreams.books.get(path\`/books/\${id}\`, {
    query: { edition, class: _class },
  });
  if (answer.status === 410)
    throw new ToolError(\`\${id}\${edition !== undefined ? \` (\${textOf(edition)})\` : ""} is lost.\`);
  if (answer.status === 404) throw new NotFoundError();
  return answer.resource({ fields: ["id", "title"], mimeType: "application/json" });
};
`,
  );
  const stock = await read(folder, "src/generated/bodies/resources/stock.ts");
  assert.match(stock, 'stock: ResourceHandler<"stock"> = async (_uri, ctx) => {');
  assert.match(stock, 'return answer.resource({ mimeType: "text/csv" });');
  const document = await read(folder, "SERVER.md");
  assert.match(document, "The service `books` answers: `GET /books/{id}`.");
});

test("the generated code that completes and lists over HTTP looks hand-written", async () => {
  const folder = await fixture.copy();
  assert.is(
    withoutHeader(await read(folder, "src/generated/bodies/prompts/recommend.complete.ts")),
    `import { path, ToolError, type CompletionCode } from "../../index.ts";

/** Values that clients suggest to their users. */
export const recommendCompletion: {
  readonly shelf: CompletionCode<"title">;
  readonly title: CompletionCode<"shelf">;
} = {
  shelf: async ({ value: shelf }, ctx) => {
    const answer = await ctx.upstreams.books.get("/shelves");
    const values = answer.values("/items", "name");
    return values.filter((found) => found.toLowerCase().startsWith(shelf.toLowerCase()));
  },
  title: async ({ value: title, given: { shelf } }, ctx) => {
    if (!shelf) return [];
    const answer = await ctx.upstreams.books.post(path\`/shelves/\${shelf}/titles\`, {
      json: { start: title },
    });
    if (answer.status === 404) throw new ToolError(\`There is no shelf \${shelf}.\`);
    return answer.values();
  },
};
`,
  );
  const list = await read(folder, "src/generated/bodies/resources/book.list.ts");
  assert.match(list, 'throw new ToolError("The books are being counted.");');
  assert.match(list, 'return instancesOf(answer.exact(), ["id", "edition", "class"]);');
  const document = await read(folder, "SERVER.md");
  assert.match(document, "`shelf`, required; the service `books` suggests values");
});

test("the tests of HTTP bodies pass, before and after people take over the code, as do those of examples/issues", async () => {
  const folder = await fixture.copy();
  const former = await read(folder, "src/generated/bodies/tools/find-books.ts");
  await editManifest(folder, (manifest) =>
    manifest.replace(
      / {4}http:\n {6}upstream: books\n {6}path: \/shelves[^]*?(?= {4}examples)/,
      "",
    ),
  );
  const plan = await runCommand(folder, "plan");
  assert.match(
    plan,
    "+ src/tools/find-books.ts  (what the manifest said that it does, yours from now on)",
  );
  assert.match(plan, "- src/generated/bodies/tools/find-books.ts");
  const formerTemplate = await read(folder, "src/generated/bodies/resources/book.ts");
  const formerList = await read(folder, "src/generated/bodies/resources/book.list.ts");
  await editManifest(folder, (manifest) =>
    manifest
      .replace(/ {4}http: .*\{\{edition.*\n/, "")
      .replace(/( {4}list:).*/, "$1 code")
      .replace(/(name: (?:shelf|title),.*complete:) .*/g, "$1 code }"),
  );
  await runCommand(folder, "generate");
  const own = await read(folder, "src/tools/find-books.ts");
  const ofPerson = (text: string): string =>
    withoutHeader(text).replace("../../index.ts", "../generated/index.ts");
  assert.is(own, ofPerson(former));
  assert.is(await read(folder, "src/resources/book.ts"), ofPerson(formerTemplate));
  assert.is(await read(folder, "src/resources/book.list.ts"), ofPerson(formerList));
  const completion = await read(folder, "src/prompts/recommend.complete.ts");
  assert.match(completion, 'recommendCompletion: PromptCompletion<"recommend"> = {');
  assert.not.match(completion, "NotImplementedError");
  built = await fixture.copy();
  issues = await generatedIssues();
  fixture.add(issues);
  await Promise.all([built, folder].map(installShared));
  // The code is the same, so that the generated tests of it are run again in the long form only.
  const onlyStarters = shortOrLong([folder], []);
  // Those of the examples run in turns; the test of its conversations needs this one built.
  const onlyBuilt = shortOrLong([issues], []);
  const folders = [built, folder, issues];
  const outputs = await testProjects(folders, { onlyStarters, onlyBuilt });
  const [first = "", left = "", ofIssues = ""] = outputs;
  assert.is(outputs.length, shortOrLong(2, 3));
  assert.match(first, /generated\/server\.test\.js[^]*?\((\d+) \/ \1\)/);
  assert.match(left, /tools\/find-books\.test\.js[^]*?\(1 \/ 1\)/);
  if (outputs.length > 2) {
    // It has a local server that answers as GitHub documents.
    assert.match(ofIssues, /github\.test\.js[^]*?\((\d+) \/ \1\)/);
    assert.match(ofIssues, /generated\/server\.test\.js[^]*?\((\d+) \/ \1\)/);
  }

  assert.match(await runCommand(folder, "generate"), "nothing to do");
  assert.is(await read(folder, "src/tools/find-books.ts"), own);
  await runCommand(folder, "check");
});

test("code that a person took over is kept when the manifest gets a body again", async () => {
  const folder = await fixture.copy();
  const whole = await read(folder, "mcp.yaml");
  await editManifest(folder, (manifest) =>
    manifest.replace(/ {4}http: \{ upstream: books, method: DELETE.*\n/, ""),
  );
  await runCommand(folder, "generate");
  const own = await read(folder, "src/tools/remove-book.ts");
  assert.match(own, "ctx.upstreams.books.delete");

  await writeFile(join(folder, "mcp.yaml"), whole);
  assert.match(
    await runCommand(folder, "plan"),
    "src/tools/remove-book.ts → src/removed/tools/remove-book.ts",
  );
  await runCommand(folder, "generate");
  assert.is(await read(folder, "src/removed/tools/remove-book.ts"), own);

  await editManifest(folder, (manifest) =>
    manifest.replace(/ {4}http: \{ upstream: books, method: DELETE.*\n/, ""),
  );
  await writeFile(join(folder, "src/removed/tools/remove-book.ts"), `// mine\n${own}`);
  assert.match(
    await runCommand(folder, "plan"),
    "src/tools/remove-book.ts  (your code from before is back, instead of what the manifest said)",
  );
  await runCommand(folder, "generate");
  assert.is(await read(folder, "src/tools/remove-book.ts"), `// mine\n${own}`);
});

test("a body whose upstream is removed becomes a stub", async () => {
  const folder = await fixture.copy();
  await editManifest(folder, (manifest) =>
    manifest
      .replace(/ {2}lending:\n(?: {4}.*\n)+/, "")
      .replace(/ {4}http: \{ upstream: lending.*\n/g, "")
      .replace(/ {2}LENDING_SECRET.*\n/, ""),
  );
  await runCommand(folder, "generate");
  assert.match(await read(folder, "src/tools/lend.ts"), "NotImplementedError");
});

test("the conversations of examples/CONSENT.md are those of examples/issues", async () => {
  const blocks = await liveConsentStory(issues);
  const page = await readFile(consentPage, "utf8");
  assert.is(withBlocks(page, blocks), page, "npm run examples tells examples/CONSENT.md anew");
  for (const name of blocks.keys()) assert.ok(page.includes(`<!-- ${name} -->`), name);
});

test("in mock mode an HTTP body answers with its mock and sends no request", async () => {
  const read = { uri: "books://books/7" };
  const complete = {
    ref: { type: "ref/prompt", name: "recommend" },
    argument: { name: "title", value: "" },
    context: { arguments: { shelf: "a" } },
  };
  const answer = await answersOf(built, { mock: true }, [
    { method: "tools/call", params: { name: "find_books", arguments: { shelf: "x" } } },
    { method: "resources/read", params: read },
    { method: "resources/list", params: {} },
    { method: "completion/complete", params: complete },
  ]);
  assert.match(answer, '"structuredContent":[{"id":1,"title":"T"}]');
  // A resource of JSON has a mock of JSON.
  assert.match(answer, '"text":"\\"A mock answer of book.\\""');
  assert.match(answer, '"completion":{"values":[]');
  assert.match(answer, '"uri":"books://stock"');
});

test.run();
