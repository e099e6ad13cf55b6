import { connectHttp, modernRequest, sendRaw } from "../suite/clients/http.js";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, SSEClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { closeAll, connect } from "../suite/clients/harness.js";
import type { Era } from "../context/context.js";
import { bundledProgram } from "../samples/bundled-program.js";
import { until } from "../samples/until.js";
import { WebSocketClientTransport } from "../suite/clients/websocket-client.js";

const program = await bundledProgram(new URL("../samples/main.js", import.meta.url));
const children: ChildProcess[] = [];
test.after(() => children.forEach((child) => child.kill("SIGKILL")));

/** The sample server as a process, with its output so far. */
interface Running {
  readonly child: ChildProcess;
  readonly stdin: NonNullable<ChildProcess["stdin"]>;
  readonly written: { stdout: string; stderr: string };
  readonly exit: Promise<number | string | null>;
  /** Resolves with the match when stderr or stdout has it. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
  children.push(child);
  const written = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => (written.stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (written.stderr += data.toString()));
  child.stdin.on("error", () => undefined);
  const exit = new Promise<number | string | null>((resolve) => {
    child.on("close", (code, signal) => resolve(code ?? signal));
  });
  const find = (pattern: RegExp) => pattern.exec(written.stderr) ?? pattern.exec(written.stdout);
  const untilWritten = async (pattern: RegExp): Promise<RegExpExecArray> => {
    await until(() => find(pattern) !== null || child.exitCode !== null);
    const found = find(pattern);
    if (found === null) throw new Error(`never wrote ${pattern}: ${JSON.stringify(written)}`);
    return found;
  };
  return { child, stdin: child.stdin, written, exit, until: untilWritten };
}

async function startHttp(): Promise<Running & { url: string }> {
  const running = run(["--http", "--port", "0"]);
  const [, url = ""] = await running.until(/"url":"([^"]+)"/);
  return { ...running, url };
}

const message = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const initialize = message(0, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

for (const mode of ["legacy", "auto"] as const) {
  test(`stdio: the official client is served, ${mode}`, async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, "--stdio"],
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport);
    assert.is(client.getProtocolEra(), mode === "auto" ? "modern" : "legacy");
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
    await client.close();
  });
}

test("a misspelt authenticate prevents a network server, and other misspelt exports are logged", async () => {
  const misspelt = { SAMPLE_EXPORT: "authentcate" };
  const refused = run(["--http", "--port", "0"], misspelt);
  assert.is(await refused.exit, 1);
  assert.match(refused.written.stderr, /"level":"error".*authentcate.*did you mean authenticate\?/);
  const alone = run(["--stdio"], misspelt);
  await alone.until(/"level":"warning".*authentcate.*did you mean authenticate\?/);
  alone.stdin.end();
  const other = run(["--http", "--port", "0"], { SAMPLE_EXPORT: "createService" });
  await other.until(/"level":"warning".*createService,.*did you mean createServices\?/);
  await other.until(/"url":/);
});

test("stdio: stdout has only messages, whatever the client sends, and the end of stdin ends the process", async () => {
  const running = run(["--stdio"]);
  running.stdin.write(initialize);
  running.stdin.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
  running.stdin.write("not json\n{}\r\n");
  running.stdin.write(message(1, "ping").trim() + message(2, "ping"));
  running.stdin.write(message(3, "tools/call", { name: "report", _meta: { progressToken: "p" } }));
  await running.until(/done in era legacy/);
  running.stdin.write(message(4, "tools/call", { name: "greet", arguments: { who: "Ada" } }));
  await running.until(/Hello, Ada!/);
  running.stdin.write('{"jsonrpc":"2.0","id":5,"meth');
  running.stdin.end();
  assert.is(await running.exit, 0);
  const messages = running.written.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(
    messages.map(({ id, params }) => id ?? params.progress ?? params.data.message),
    [0, 0, "half way", 1, 3, 4],
  );
  for (const line of running.written.stderr.trim().split("\n")) JSON.parse(line);
});

test("stdio: a line of 11 MB delays nothing, and a client that stops reading ends the process", async () => {
  const long = run(["--stdio"]);
  long.stdin.write(`${"x".repeat(11 * 1024 * 1024)}\n${initialize}`);
  await long.until(/Message too large[^]*protocolVersion/);
  long.stdin.end("x".repeat(11 * 1024 * 1024));
  assert.is(await long.exit, 0);
  const deaf = run(["--stdio"]);
  deaf.stdin.write(initialize);
  await deaf.until(/protocolVersion/);
  deaf.child.stdout?.destroy();
  deaf.stdin.write(message(1, "tools/list"));
  assert.is(await deaf.exit, 0);
});

/** Makes a tool call in the form of an era. */
function callTool(id: number, era: Era, name: string, args: object): string {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const call = { name, arguments: args };
  return message(id, "tools/call", era === "modern" ? { ...call, _meta: envelope } : call);
}

for (const era of ["modern", "legacy"] as const) {
  const opening = era === "modern" ? "" : initialize;

  test(`stdio, ${era}: SIGTERM lets the running call be answered`, async () => {
    const running = run(["--stdio"]);
    running.stdin.write(opening + callTool(1, era, "sleep", { ms: 500 }));
    await running.until(/"sleeping"/);
    running.child.kill("SIGTERM");
    assert.is(await running.exit, 0);
    assert.match(running.written.stdout, /slept 500 ms/);
  });

  test(`stdio, ${era}: calls sent before the end of stdin are answered`, async () => {
    const running = run(["--stdio"]);
    const calls = Array.from({ length: 20 }, (_, id) =>
      callTool(id + 1, era, "sleep", { ms: 300 }),
    );
    running.stdin.end(opening + calls.join(""));
    assert.is(await running.exit, 0);
    assert.is(running.written.stdout.split("slept 300 ms").length - 1, calls.length);
  });
}

test("stdio: the process waits for running calls at its end, not for cancelled ones or subscriptions", async () => {
  const { _meta } = JSON.parse(callTool(1, "modern", "", {})).params;
  const filter = { notifications: { toolsListChanged: true }, _meta };
  const sleep = (era: Era): string => callTool(1, era, "sleep", { ms: 60_000 });
  const cancelled = { method: "notifications/cancelled", params: { requestId: 1 } };
  const cancellation = `${JSON.stringify({ jsonrpc: "2.0", ...cancelled })}\n`;
  const beginning = [
    [initialize + sleep("legacy"), /"sleeping"/, ""],
    [initialize + sleep("legacy"), /"sleeping"/, cancellation],
    [sleep("modern"), /"sleeping"/, cancellation],
    [message(1, "subscriptions/listen", filter), /acknowledged/, ""],
    [initialize, /protocolVersion/, ""],
  ] as const;
  const [held, ...free] = await Promise.all(
    beginning.map(async ([input, pattern, last]) => {
      const running = run(["--stdio"]);
      running.stdin.write(input);
      await running.until(pattern);
      return { running, last };
    }),
  );
  held!.running.stdin.end();
  for (const { running, last } of free) running.stdin.end(last);
  const ended = Promise.all(free.map(({ running }) => running.exit));
  assert.equal(await Promise.race([ended, held!.running.exit]), [0, 0, 0, 0]);
});

test("stdio: what handlers write to stdout goes to stderr", async () => {
  const running = run(["--stdio"]);
  running.stdin.end(initialize + callTool(1, "legacy", "derail", { how: "print" }));
  assert.is(await running.exit, 0);
  for (const line of running.written.stdout.trim().split("\n")) JSON.parse(line);
  assert.match(running.written.stderr, /^printed by a handler$/m);
  assert.match(running.written.stdout, /derailed/);
});

test("all transports of a process answer running calls, and then close their connections", async () => {
  const running = run([], { PORT: "0" });
  const urlOf = async (transport: string): Promise<string> => {
    const [, url = ""] = await running.until(
      new RegExp(`"transport":"${transport}","url":"([^"]+)"`),
    );
    return url;
  };
  const [http, sse, webSocket] = [
    await urlOf("http"),
    await urlOf("sse"),
    await urlOf("websocket"),
  ];
  assert.is(new Set([http, sse, webSocket].map((url) => new URL(url).port)).size, 1);
  const clients = await Promise.all([
    connectHttp(http, "modern"),
    connectHttp(http, "legacy"),
    connect(new SSEClientTransport(new URL(sse)), "legacy"),
    connect(new WebSocketClientTransport(webSocket), "modern"),
    connect(new WebSocketClientTransport(webSocket), "legacy"),
  ]);
  running.stdin.write(initialize + callTool(1, "legacy", "sleep", { ms: 500 }));
  const sleep = { name: "sleep", arguments: { ms: 500 } };
  const calls = clients.map((client) => client.callTool(sleep));
  await until(() => running.written.stderr.split('"sleeping"').length > calls.length + 1);
  running.child.kill("SIGTERM");
  for (const { content } of await Promise.all(calls)) {
    assert.equal(content, [{ type: "text", text: "slept 500 ms" }]);
  }
  assert.is(await running.exit, 0);
  assert.match(running.written.stdout, /slept 500 ms/);
  await closeAll();
});

test("http: SIGTERM lets calls finish, and a second SIGTERM ends the process", async () => {
  const graceful = await startHttp();
  const sleep = { name: "sleep", arguments: { ms: 400 } };
  const calls = Array.from({ length: 50 }, () =>
    sendRaw(modernRequest(graceful.url, "tools/call", sleep)),
  );
  await until(() => graceful.written.stderr.split('"sleeping"').length > calls.length);
  graceful.child.kill("SIGTERM");
  for (const { text } of await Promise.all(calls)) assert.match(text, /slept 400 ms/);
  assert.is(await graceful.exit, 0);

  const hasty = await startHttp();
  const endless = { name: "sleep", arguments: { ms: 60_000 } };
  const cut = sendRaw(modernRequest(hasty.url, "tools/call", endless)).catch(() => "cut");
  await hasty.until(/"sleeping"/);
  hasty.child.kill("SIGTERM");
  await hasty.until(/"stopping"/);
  hasty.child.kill("SIGTERM");
  assert.is(await hasty.exit, 143);
  assert.is(await cut, "cut");
});

test("an unhandled rejection is logged, and an uncaught exception ends the process", async () => {
  const running = await startHttp();
  const derail = (how: string) =>
    sendRaw(modernRequest(running.url, "tools/call", { name: "derail", arguments: { how } }));
  assert.match((await derail("reject")).text, /derailed/);
  await running.until(/nobody waits for this/);
  assert.match((await derail("throw")).text, /derailed/);
  await running.until(/nobody catches this/);
  assert.is(await running.exit, 1);
});

test("both transports start by default, and HTTP goes on after the end of stdin", async () => {
  const running = run([], { PORT: "0" });
  const [, url = ""] = await running.until(/"url":"([^"]+)"/);
  running.stdin.write(initialize);
  await running.until(/protocolVersion/);
  running.stdin.end();
  // The first request may arrive in the same turn as the end of stdin. The second arrives after it.
  for (let turn = 1; turn <= 2; turn++) {
    assert.is((await sendRaw(modernRequest(url, "tools/list"))).status, 200);
  }
  running.child.kill("SIGINT");
  assert.is(await running.exit, 0);
});

test("--version prints the version, and a wrong setting in a --dotenv file is an error", async () => {
  const version = run(["--version"]);
  const folder = await mkdtemp(join(tmpdir(), "start-"));
  await writeFile(join(folder, "settings.env"), "PORT=none\n");
  const wrong = run(["--http", "--dotenv", join(folder, "settings.env")]);
  assert.is(await version.exit, 0);
  assert.is(version.written.stdout, "1.2.3\n");
  assert.is(await wrong.exit, 2);
  assert.match(wrong.written.stderr, /PORT must be a port/);
  await rm(folder, { recursive: true });
});

/** Returns the messages of the errors in the log. */
function problems({ written }: Running): string[] {
  const entries = written.stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return entries.filter(({ level }) => level === "error").map((entry) => entry.message);
}

test("a start at an address that cannot be listened on fails with a message", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  const taken = run(["--http", "--port", String(port)]);
  const nowhere = run(["--http", "--port", "0", "--host", "nowhere.invalid"]);
  assert.is(await taken.exit, 1);
  holder.close();
  assert.equal(problems(taken), [
    `port ${port} on 127.0.0.1 is in use; choose another with --port`,
  ]);
  assert.is(await nowhere.exit, 1);
  assert.equal(problems(nowhere), [
    "host nowhere.invalid is not known as an address of this machine; choose another with --host",
  ]);
});

test.run();
