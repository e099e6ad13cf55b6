import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { packageRoot } from "../../../text/package-root.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { longTest, shortOrLong } from "../../harness/runner/test-length.js";

/** `mcpwright mcp` of the published command, as a coding agent uses it: by the official client, over stdio. */

const command = fileURLToPath(new URL("dist/generator/bundle/main.js", packageRoot));
const place = mkdtempSync(join(tmpdir(), "mcpwright-mcp-"));
const root = join(place, "root");
const client = new Client(
  { name: "an-agent", version: "1.0.0" },
  { capabilities: { elicitation: { form: {} }, roots: { listChanged: true } } },
);
/** How often the client was asked for its roots, which are folders that the server must not read. */
let rootsAsked = 0;
client.setRequestHandler("roots/list", () => {
  rootsAsked += 1;
  return { roots: [{ uri: pathToFileURL(join(place, "outside")).href }] };
});
/** What the user was asked, and says. */
const asked: string[] = [];
let answer: "accept" | "decline" = "accept";
client.setRequestHandler("elicitation/create", ({ params }) => {
  asked.push(params.message);
  return { action: answer, ...(answer === "accept" && { content: {} }) };
});

const MANIFEST = `name: demo
version: 1.0.0
tools:
  - name: greet
    description: Greets a person.
    annotations: { readOnlyHint: true }
`;
const SECRET = "hunter2";

test.before(async () => {
  mkdirSync(join(root, "api"), { recursive: true });
  writeFileSync(join(root, "mcp.yaml"), MANIFEST);
  writeFileSync(join(root, "wrong.yaml"), MANIFEST.replace("description", "descripton"));
  writeFileSync(join(root, "skilled.yaml"), `${MANIFEST}skills: [{ root: linked }]\n`);
  writeFileSync(join(root, "included.yaml"), `${MANIFEST}include: [linked/*.yaml]\n`);
  writeFileSync(join(root, "named.yaml"), `${MANIFEST}include: [linked/hunter2.yaml]\n`);
  writeFileSync(join(root, "absent.yaml"), `${MANIFEST}include: [linked/nothing.yaml]\n`);
  writeFileSync(join(place, "mcp.yaml"), `name: ${SECRET}\n`);
  mkdirSync(join(place, "outside", SECRET), { recursive: true });
  writeFileSync(join(place, "outside", `${SECRET}.yaml`), "tools: []\n");
  writeFileSync(join(place, "outside", SECRET, "SKILL.md"), `---\nname: ${SECRET}\n---\n`);
  writeFileSync(join(place, "outside/mcp.yaml"), MANIFEST);
  writeFileSync(join(place, "outside/parts.json"), documentOf("", `/${SECRET}`));
  writeFileSync(join(root, "api/books.json"), documentOf("/books"));
  writeFileSync(
    join(root, "api/linked.json"),
    documentOf("/books", "", { $ref: "parts.json#/paths/~1hunter2" }),
  );
  symlinkSync(join(place, "outside"), join(root, "linked"));
  symlinkSync(join(place, "outside/parts.json"), join(root, "api/parts.json"));
  symlinkSync(join(place, "mcp.yaml"), join(root, "link.yaml"));
  symlinkSync(join(root, "mcp.yaml"), join(place, "outside/back.yaml"));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [command, "mcp", "--root", root],
      stderr: "ignore",
    }),
  );
});

test.after(async () => {
  await client.close();
  rmSync(place, { recursive: true });
});

/** A document with an operation at each path that is not empty, and a path item of its own for `/other`. */
function documentOf(path: string, second = "", other?: object): string {
  const item = (id: string): object => ({
    get: { operationId: id, responses: { 200: { description: "Fine" } } },
  });
  const paths = [path, second].filter((one) => one !== "").map((one) => [one, item(one.slice(1))]);
  const all = { ...Object.fromEntries(paths), ...(other && { "/other": other }) };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Books", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: all,
  });
}

type Report = {
  readonly ok: boolean;
  readonly exitCode: number;
  readonly plan?: string;
  readonly diagnostics?: readonly { readonly code: string; readonly message: string }[];
  readonly changes?: readonly { readonly path: string }[];
  readonly fields?: readonly { readonly name: string }[];
  readonly cause?: string;
  readonly documents?: readonly {
    readonly operations: readonly { readonly operation: string; readonly state: string }[];
  }[];
};

async function call(name: string, given: Record<string, unknown> = {}): Promise<Report> {
  const { structuredContent, content } = await client.callTool({ name, arguments: given });
  assert.ok(structuredContent, JSON.stringify(content));
  return structuredContent as Report;
}

test("a manifest is validated, looked up and planned, and nothing is written", async () => {
  const before = readdirSync(root, { recursive: true }).sort();
  assert.is((await call("validate")).ok, true);
  const wrong = await call("validate", { manifest: "wrong.yaml" });
  assert.is(wrong.ok, false);
  const [problem] = wrong.diagnostics ?? [];
  assert.match(problem?.message ?? "", "descripton");
  assert.match((await call("explain", { code: problem?.code })).cause ?? "", / /);
  const { fields = [] } = await call("reference", { words: "ask the user before a call" });
  assert.ok(fields.some(({ name }) => name === "confirm"));
  const { changes = [], exitCode } = await call("plan");
  assert.is(exitCode, 2);
  assert.ok(changes.some(({ path }) => path === "src/tools/greet.ts"));
  assert.equal(readdirSync(root, { recursive: true }).sort(), before);
});

test("the operations of a document are listed beside a manifest that does not know it", async () => {
  const { documents = [] } = await call("import_preview", { document: "api/books.json" });
  assert.equal(
    documents.flatMap(({ operations }) => operations.map(({ operation }) => operation)),
    ["GET /books"],
  );
});

test("the schema, the examples, the current manifest and the prompt are served", async () => {
  const textOf = async (uri: string): Promise<string> =>
    JSON.stringify((await client.readResource({ uri })).contents);
  assert.match(await textOf("mcpwright://manifest"), "name: demo");
  assert.match(await textOf("mcpwright://schemas/manifest.schema.json"), "An mcpwright manifest");
  assert.match(await textOf("mcpwright://examples/exec.yaml"), "search_log");
  const given = { purpose: "Reads the log.", api: "api/books.json" };
  const prompt = await client.getPrompt({ name: "new-server", arguments: given });
  assert.match(JSON.stringify(prompt.messages), /Reads the log.*api\/books\.json/);
});

type Escape = readonly [tool: string, given: Record<string, unknown>];

/** Calls for files outside, by each way to name one. Each call runs the command. */
const ESCAPES: readonly Escape[] = [
  ["plan", { manifest: "linked/mcp.yaml" }],
  ["import_preview", { document: "api/parts.json" }],
  ...shortOrLong<readonly Escape[]>(
    [],
    [
      ["validate", { manifest: "link.yaml" }],
      ["import_preview", { document: "../outside/parts.json" }],
      ["validate", { manifest: "../mcp.yaml" }],
      ["validate", { manifest: "api/../../mcp.yaml" }],
      ["plan", { manifest: "linked/back.yaml" }],
      ["validate", { manifest: "linked/mcp.yaml" }],
      ["import_preview", { document: "linked/parts.json" }],
    ],
  ),
];

test("nothing outside of the folder is read, neither by paths nor through links", async () => {
  for (const [tool, given] of ESCAPES) {
    const report = await call(tool, given);
    const said = JSON.stringify(report);
    assert.is(report.ok, false, said);
    assert.match(said, "outside of the folder that may be read");
    assert.not.match(said, SECRET);
  }
});

test("the roots of a client are neither asked for nor read: --root alone names the folder", async () => {
  await client.sendRootsListChanged();
  const { content } = await client.callTool({
    name: "validate",
    arguments: { manifest: join("..", "outside", "mcp.yaml") },
  });
  assert.match(JSON.stringify(content), "outside of the folder that may be read");
  const { contents } = await client.readResource({ uri: "mcpwright://manifest" });
  assert.match(JSON.stringify(contents), "name: demo");
  assert.is(rootsAsked, 0);
  const { out } = await mcpwright(root, "mcp", "--help");
  assert.match(out.replace(/\s+/g, " "), "The roots of a client are not read");
});

test("files outside of the folder that a manifest or a document refers to are reported as missing", async () => {
  for (const manifest of shortOrLong(["skilled.yaml"], ["skilled.yaml", "included.yaml"])) {
    assert.not.match(JSON.stringify(await call("validate", { manifest })), SECRET);
  }
  const codesOf = async (manifest: string): Promise<unknown> =>
    (await call("validate", { manifest })).diagnostics?.map(({ code }) => code);
  assert.equal(await codesOf("named.yaml"), await codesOf("absent.yaml"), "what is there or not");
  const listed = JSON.stringify(await call("import_preview", { document: "api/linked.json" }));
  assert.match(listed, "GET /books");
  assert.not.match(listed, "GET /other");
});

test("a plan is carried out once its user has agreed to it, and no other", async () => {
  const manifest = "server/mcp.yaml";
  const made = join(root, "server/src/tools/greet.ts");
  mkdirSync(join(root, "server"));
  writeFileSync(join(root, manifest), MANIFEST);
  const { plan } = await call("plan", { manifest });
  assert.match(plan ?? "", /^\d+ created [0-9a-f]{32}$/);

  answer = "decline";
  const declined = await client.callTool({ name: "generate", arguments: { manifest, plan } });
  assert.ok(declined.isError, JSON.stringify(declined));
  assert.not.ok(existsSync(made));

  answer = "accept";
  writeFileSync(join(root, manifest), MANIFEST.replace("a person", "somebody"));
  const refused = await call("generate", { manifest, plan });
  assert.is(refused.ok, false);
  assert.equal(
    refused.diagnostics?.map(({ code }) => code),
    ["MW4034"],
  );
  assert.not.ok(existsSync(made), "the user had agreed to the plan before the change");

  const changed = await call("plan", { manifest });
  assert.is.not(changed.plan, plan);
  const done = await call("generate", { manifest, plan: changed.plan });
  assert.ok(done.ok, JSON.stringify(done));
  assert.ok(existsSync(made));
  assert.is(asked.length, 3, "each call is asked about");
  assert.match(asked[2] ?? "", `Write the files of the plan "${changed.plan}"`);
});

// In short, the plans of the tests above stand for it: none is made of a folder outside.
longTest("a plan in a folder outside is not carried out", async () => {
  const { plan } = await call("plan");
  const report = await call("generate", { manifest: "linked/back.yaml", plan });
  assert.is(report.ok, false);
  assert.not.ok(existsSync(join(place, "outside/src")));
});

test("arguments are never read as options, and a folder that does not exist is reported", async () => {
  for (const manifest of shortOrLong(["--fix"], ["--fix", "-C", "/etc/passwd"])) {
    const { isError } = await client.callTool({ name: "validate", arguments: { manifest } });
    assert.ok(isError, manifest);
  }
  const missing = await mcpwright(place, "mcp", "--root", "none");
  assert.is(missing.status, 1);
  assert.match(missing.err, "--root needs a folder that exists");
});

test.run();
