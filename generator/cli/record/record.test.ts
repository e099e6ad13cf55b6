import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { TextEdit } from "../../model/diagnostic.js";
import {
  mcpwright,
  mcpwrightWith,
  type CommandResult,
} from "../../testing/harness/projects/generated-project.js";
import { bin } from "../../testing/harness/projects/project-folder.js";
import { shortOrLong } from "../../testing/harness/runner/test-length.js";

const root = await mkdtemp(join(tmpdir(), "mcpwright-record-"));
test.after(() => rm(root, { recursive: true }));

const MANIFEST = `# Orders of the shop.
name: orders
version: 1.0.0
include: [tools/*.yaml]
env:
  SHOP_KEY: { secret: true } # from the vault
tools:
  - name: echo # says it again
    description: Says it again.
    inputSchema: { type: object, properties: { text: { type: string } } }
`;
const PART = `tools:
  # Opens orders.
  - name: open_order
    description: Opens an order.
    inputSchema:
      type: object
      properties: { sku: { type: string }, card: { type: string, writeOnly: true } }
    outputSchema:
      type: object
      properties: { id: { type: string, description: x }, sku: { type: string, description: x } }
`;

/** A server of the protocol that answers calls as their arguments say, with hostile lines between them. */
const SERVER = `import { createInterface } from "node:readline";
const write = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
process.stdout.write("this is no JSON\\n{\\n");
const tooLong = () => process.stdout.write('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"' + "x".repeat(5_000_000) + '"}}\\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") tooLong();
  if (method !== "tools/call") { if (id !== undefined) write({ jsonrpc: "2.0", id, result: {} }); continue; }
  const { name, arguments: given } = params;
  const result = name === "echo"
    ? { content: [{ type: "text", text: given.text + " " + process.env.SHOP_KEY }] }
    : { content: [], structuredContent: { id: crypto.randomUUID(), sku: given.sku } };
  write({ jsonrpc: "2.0", id, result });
}
`;

async function shop(): Promise<string> {
  const folder = await mkdtemp(join(root, "shop-"));
  await mkdir(join(folder, "tools"));
  await writeFile(join(folder, "mcp.yaml"), MANIFEST);
  await writeFile(join(folder, "tools/orders.yaml"), PART);
  await writeFile(join(folder, "server.mjs"), SERVER);
  return folder;
}

const KEY = "very-secret-key";
const CARD = "4111 1111 1111 1111";

const call = (id: number, name: string, given: object): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: {
    name,
    arguments: given,
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  },
});

/** Runs a client that sends these messages to a recorded server, and leaves after the last answer. */
function recordWith(
  folder: string,
  messages: readonly object[],
  ...options: string[]
): Promise<CommandResult> {
  const argv = [bin, "record", ...options, "--", process.execPath, "server.mjs"];
  const child = spawn(process.execPath, argv, {
    cwd: folder,
    env: { ...process.env, SHOP_KEY: KEY },
  });
  let [out, err] = ["", ""];
  const last = `"id":${messages.length},"result"`;
  let recent = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const text = chunk.toString();
    out += text;
    recent = recent.slice(-last.length) + text;
    if (recent.includes(last)) child.stdin.end();
  });
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
  return new Promise((resolve) => {
    child.once("close", (status) => resolve({ status: status ?? -1, out, err }));
  });
}

const CALLS = [
  { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
  call(2, "echo", { text: "a: b # c\n'd' {e} - *f" }),
  call(3, "open_order", { sku: "tea", card: CARD }),
  call(4, "echo", { text: `paid with ${CARD}` }),
  call(5, "unknown_tool", { sku: "x" }),
];

let recording: Promise<CommandResult> | undefined;
const recorded = join(root, "recorded");

/** A session of {@link CALLS}, which is recorded once, and a folder of one's own with its recording. */
async function recordedShop(): Promise<CommandResult & { readonly folder: string }> {
  recording ??= shop()
    .then((made) => rename(made, recorded))
    .then(() => recordWith(recorded, CALLS));
  const result = await recording;
  const folder = await mkdtemp(join(root, "recorded-"));
  await cp(recorded, folder, { recursive: true });
  return { ...result, folder };
}

test("a recorded session becomes examples in the files of its tools, without its secrets, once the user agrees", async () => {
  const { folder, status, out, err } = await recordedShop();
  assert.is(status, 0, err);
  assert.match(out, /^this is no JSON\n\{\n\{"jsonrpc"/, "everything is passed on");
  assert.is(out.split("\n").length, 3 + CALLS.length + 1);
  assert.match(err, "Recorded 4 calls in mcpwright.recording.json");
  assert.match(err, "Not recorded: 1 messages of more than");
  const path = join(folder, "mcpwright.recording.json");
  assert.is((await stat(path)).mode & 0o777, 0o600);
  const kept = await readFile(path, "utf8");
  for (const secret of [KEY, CARD]) assert.not.ok(kept.includes(secret), secret);

  const shown = await mcpwright(folder, "record");
  assert.is(shown.status, 3);
  assert.match(shown.out, "Nothing was written; --yes writes without asking.");
  assert.match(shown.out, "Skipped: unknown_tool: the manifest has no tool of that name.");
  assert.is(await readFile(join(folder, "mcp.yaml"), "utf8"), MANIFEST);

  const written = await mcpwright(folder, "record", "--yes");
  assert.is(written.status, 0, written.out + written.err);
  assert.match(written.out, "Wrote mcp.yaml, tools/orders.yaml.");
  const [own, part] = await Promise.all([
    readFile(join(folder, "mcp.yaml"), "utf8"),
    readFile(join(folder, "tools/orders.yaml"), "utf8"),
  ]);
  assert.ok(own.startsWith(MANIFEST), "what was there stays byte for byte");
  assert.ok(part.startsWith(PART));
  assert.not.ok(existsSync(path), "the recording is removed");
  for (const secret of [KEY, CARD]) assert.not.ok((own + part).includes(secret), secret);
  assert.match(part, /matches: ?\{? ?\n? *"?\/id/);
  const valid = await mcpwright(folder, "validate");
  assert.is(valid.status, 0, valid.out + valid.err);
});

/** The document that a run with `--json` has printed, which is as the schema says. */
async function document(printed: string): Promise<Record<string, unknown>> {
  const url = new URL("../../../../schemas/record-report.schema.json", import.meta.url);
  const schema = JSON.parse(await readFile(url, "utf8")) as object;
  const options = { strictRequired: false, strictTypes: false };
  const validate = new Ajv2020(options).compile(schema);
  const value = JSON.parse(printed) as Record<string, unknown>;
  assert.ok(validate(value), JSON.stringify(validate.errors));
  return value;
}

test("each document that is printed in JSON is as its schema says", async () => {
  const folder = await shop();
  const absent = await document((await mcpwright(folder, "record", "--json")).out);
  assert.equal([absent["ok"], absent["exitCode"]], [false, 1]);
  const { err } = await recordWith(folder, CALLS, "--json");
  const kept = await document(err.slice(err.indexOf("{")));
  assert.equal([kept["ok"], kept["calls"]], [true, 4]);
  const written = await document((await mcpwright(folder, "record", "--json", "--yes")).out);
  assert.equal([written["ok"], written["written"]], [true, true]);
  await writeFile(join(folder, "mcp.yaml"), "name: a\nversion: 1.0.0\ntools: 1\n");
  const invalid = await document((await mcpwright(folder, "record", "--json")).out);
  assert.equal([invalid["ok"], invalid["exitCode"]], [false, 1]);
});

test("in JSON, what would be written stands as edits, which make the same text", async () => {
  const { folder } = await recordedShop();
  const { status, out } = await mcpwright(folder, "record", "--json");
  const report = (await document(out)) as {
    written: boolean;
    examples: { tool: string; name: string }[];
    edits: TextEdit[];
  };
  assert.equal([status, report.written], [0, false]);
  assert.equal(report.examples, [
    { tool: "echo", name: "recorded call" },
    { tool: "open_order", name: "recorded call" },
  ]);
  await mcpwright(folder, "record", "--yes");
  for (const [file, before] of [
    ["mcp.yaml", MANIFEST],
    ["tools/orders.yaml", PART],
  ] as const) {
    const edits = report.edits.filter((edit) => edit.file === file);
    assert.is(applied(before, edits), await readFile(join(folder, file), "utf8"));
  }
});

/** A text after edits of whole lines. */
function applied(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split(/(?<=\n)/);
  for (const { line, endLine, newText } of edits.toReversed()) {
    lines.splice(line - 1, endLine - line, newText);
  }
  return lines.join("");
}

test("with --yes the examples are written when the client leaves, and a second session adds nothing twice", async () => {
  const folder = await shop();
  const first = await recordWith(folder, CALLS, "--yes");
  assert.is(first.status, 0, first.err);
  assert.match(first.err, "Wrote mcp.yaml, tools/orders.yaml.");
  assert.not.match(first.out, "Wrote", "stdout belongs to the client");
  assert.not.ok(existsSync(join(folder, "mcpwright.recording.json")));
  const text = await readFile(join(folder, "mcp.yaml"), "utf8");
  const second = await recordWith(folder, CALLS, "--yes");
  assert.match(second.err, "There is nothing to write.");
  assert.is(await readFile(join(folder, "mcp.yaml"), "utf8"), text);
});

let withCard: Promise<string> | undefined;

/** A folder with the recording of a session that has shown a secret before anything has called it one. */
async function shopWithCard(): Promise<string> {
  const folder = await shop();
  const first = await recordWith(folder, [call(1, "echo", { text: `the card ${CARD}` })]);
  assert.is(first.status, 0, first.err);
  assert.match(await readFile(join(folder, "mcpwright.recording.json"), "utf8"), CARD);
  return folder;
}

for (const options of shortOrLong<readonly string[][]>([[]], [[], ["--yes"]])) {
  test(`a secret that a later session shows is masked in what earlier ones have kept ${options.join()}`, async () => {
    const folder = await mkdtemp(join(root, "later-"));
    await cp(await (withCard ??= shopWithCard()), folder, { recursive: true });
    const path = join(folder, "mcpwright.recording.json");
    const order = call(1, "open_order", { sku: "tea", card: CARD });
    const second = await recordWith(folder, [order], ...options);
    assert.is(second.status, 0, second.err);
    const kept = await readFile(path, "utf8");
    assert.not.match(kept, CARD);
    assert.match(kept, "the card ********");
    assert.is(kept.includes("open_order"), options.length === 0);
  });
}

test("a manifest that is invalid, a missing server and a damaged recording are reported in words", async () => {
  const folder = await shop();
  assert.match(
    (await mcpwright(folder, "record")).err,
    /MW5015.*there is no mcpwright\.recording\.json/,
  );
  await writeFile(join(folder, "mcpwright.recording.json"), "{");
  assert.match((await mcpwright(folder, "record")).err, /MW5015.*is no recording/);
  await writeFile(join(folder, "mcp.yaml"), "name: a\nversion: 1.0.0\ntools: 1\n");
  const wrong = await recordWith(folder, [], "mcp.yaml");
  assert.equal([wrong.status, wrong.out], [1, ""]);
  assert.match(wrong.err, "MW1201");
});

test("with --url the calls of clients over HTTP are kept at Ctrl-C, without the credentials of their headers", async () => {
  const folder = await shop();
  const upstream = createServer((request, response) => {
    const text = `said with ${request.headers.authorization}`;
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ jsonrpc: "2.0", id: 7, result: { content: [{ type: "text", text }] } }),
      );
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
  const child = spawn(process.execPath, [bin, "record", "--url", url], { cwd: folder });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const address = await new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
      const [found] = /http:\S+\/mcp/.exec(err) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const headers = { "content-type": "application/json", authorization: "Bearer token-of-a-header" };
  const body = JSON.stringify(call(7, "echo", { text: "hi" }));
  const answer = await fetch(address, { method: "POST", headers, body });
  assert.match(await answer.text(), "said with Bearer token-of-a-header");
  child.kill("SIGINT");
  assert.is(await ended, 0, err);
  upstream.close();
  assert.match(out, "Recorded 1 call in mcpwright.recording.json");
  const kept = await readFile(join(folder, "mcpwright.recording.json"), "utf8");
  assert.match(kept, "said with Bearer ********");
  assert.not.match(kept, "token-of-a-header");
  const both = await mcpwright(folder, "record", "--url", "ftp://x");
  assert.match(both.err, "MW5003");
});

test("a program that cannot be started is named, and stdout stays the client's", async () => {
  const folder = await shop();
  const argv = [bin, "record", "--json", "--", join(folder, "no-such-program")];
  const child = spawn(process.execPath, argv, { cwd: folder });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const status = await new Promise((resolve) => child.once("close", resolve));
  assert.equal([status, out], [1, ""]);
  assert.match(err, /"code": "MW5015"/);
});

test("secrets of .env and of variables named like secrets are masked in a recording that was made without them", async () => {
  const folder = await shop();
  const calls = [
    {
      tool: "echo",
      arguments: { text: "a" },
      answer: { content: [{ type: "text", text: "in-dot-env of-the-shell of-the-map" }] },
    },
  ];
  const recording = { version: 1, at: Date.now(), calls };
  await writeFile(join(folder, "mcpwright.recording.json"), JSON.stringify(recording));
  await writeFile(join(folder, ".env"), "SHOP_KEY=in-dot-env\n");
  // Names of variables say more than those of members: no text is called secret because a member is called `key`.
  const variables = { API_TOKEN: "of-the-shell", MAP_KEY: "of-the-map" };
  const { out } = await mcpwrightWith(variables, folder, "record", "--dry-run");
  assert.match(out, /\*{8} \*{8} \*{8}/);
  assert.not.match(out, "in-dot-env");
  assert.not.match(out, "of-the-shell");
  assert.not.match(out, "of-the-map");
});

test.run();
