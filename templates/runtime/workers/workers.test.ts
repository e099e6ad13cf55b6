import { fork } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  dividedProgram,
  DividedServer,
  DividedServers,
  SharedServer,
  type LogLine,
} from "../samples/divided-server.js";
import { isRunning } from "../samples/processes.js";
import { until } from "../samples/until.js";
import { testTls } from "../suite/clients/tls.js";

/** Start, end and replacement of the processes that serve together. */

const test = suite("a server of several processes");
const servers = new DividedServers();
const { start } = servers;
test.after.each(() => servers.kill());

/** Two workers, which the variable asks for. */
const shared = new SharedServer(async () => {
  const server = new DividedServer(["--port", "0"], { WEB_CONCURRENCY: "2" });
  await server.logged("all workers serve");
  return server;
});
test.after(shared.kill);

/** A server that is not expected to serve. */
function startWrongly(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): DividedServer {
  const server = new DividedServer(args, env);
  servers.add(server);
  return server;
}

test("the workers of which the variable tells the number answer at one free port", async () => {
  const server = await shared.get();
  const pids = await server.pids(4);
  assert.is(pids.size, 2);
  assert.not.ok(pids.has(server.primary.pid ?? 0), "the primary process does not serve");
});

test("a worker that ends is replaced, at the same port, while the others go on", async () => {
  const server = await shared.get();
  const serving = server.count("serving");
  const before = await server.pids(4);
  assert.ok(await server.isCut("crash"));
  await server.logged("serving", serving + 1);
  const after = await server.pids(6);
  assert.is(after.size, 2);
  assert.is([...after].filter((pid) => before.has(pid)).length, 1);
  const lines = await server.logged("a worker has ended, and another one replaces it");
  assert.is(lines.at(-1)?.["code"], 3);
});

test("when all workers have ended, all are replaced at the same port", async () => {
  const server = await shared.get();
  const serving = server.count("serving");
  for (const pid of await server.pids(4)) process.kill(pid, "SIGKILL");
  await server.logged("serving", serving + 2);
  const urls = new Set((await server.logged("serving")).map(({ url }) => url));
  assert.is(urls.size, 1);
  assert.is((await server.pids(4)).size, 2);
});

test("a worker that gets the signal itself ends its calls, and is replaced", async () => {
  const server = await shared.get();
  const serving = server.count("serving");
  const [pid = 0] = await server.pids(1);
  process.kill(pid, "SIGTERM");
  await server.logged("serving", serving + 1);
  assert.not.ok((await server.pids(6)).has(pid));
});

test("lines of the log stay whole, and name the worker", async () => {
  const server = await shared.get();
  // The line of an answered request may still be on its way: these are of another tool than the former ones.
  const requests = (): readonly LogLine[] =>
    server.log.filter(({ message, name }) => message === "request" && name === "extra");
  await Promise.all(Array.from({ length: 200 }, () => server.call("extra")));
  await until(() => requests().length >= 200);
  assert.is(requests().length, 200);
  assert.equal(new Set(requests().map(({ worker }) => worker)), new Set([1, 2]));
});

test("a signal to the whole group, as in a terminal, is one signal", async () => {
  const server = await shared.get();
  const pids = await server.pids(4);
  const [held] = await Promise.all([
    server.call("hold"),
    server.call("pid").then(() => {
      for (const pid of [...pids, server.primary.pid ?? 0]) process.kill(pid, "SIGINT");
    }),
  ]);
  assert.is(held.text, "held");
  assert.is(await server.exit, 0);
});

test("workers end with their primary process", async () => {
  const server = await start(2);
  const pids = await server.pids(4);
  server.primary.kill("SIGKILL");
  await until(async () => !(await Promise.all([...pids].map(isRunning))).includes(true));
});

test("a second signal ends everything at once", async () => {
  const server = await start(2);
  const pids = await server.pids(4);
  const cut = server.isCut("hold");
  await server.call("pid");
  server.primary.kill("SIGTERM");
  await server.logged("stopping");
  server.primary.kill("SIGTERM");
  assert.ok(await cut);
  assert.is(await server.exit, 143);
  await until(async () => !(await Promise.all([...pids].map(isRunning))).includes(true));
});

test("all workers serve over TLS, also those that start later, and stop together", async () => {
  const { folder, cert, key } = testTls().writeFiles();
  try {
    const server = await start(2, { TLS_CERT: cert, TLS_KEY: key });
    assert.match(server.url, /^https:/);
    const before = await server.textOfEach("pid", 2);
    const metrics = new Request(new URL("/metrics", server.url));
    assert.is((await testTls().fetch(metrics)).status, 200);
    assert.ok(await server.isCut("crash"));
    await server.logged("serving", 3);
    const after = [...(await server.textOfEach("pid", 2)).keys()];
    assert.is(after.filter((pid) => !before.has(pid)).length, 1);
    const [held] = await Promise.all([
      server.call("hold"),
      server.call("pid").then(() => server.primary.kill("SIGTERM")),
    ]);
    assert.is(held.text, "held", "running calls are finished");
    assert.is(await server.exit, 0);
    for (const pid of after) assert.not.ok(await isRunning(pid));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("files of TLS that cannot be used are named once", async () => {
  const { folder, cert, key } = testTls().writeFiles();
  try {
    await copyFile(cert, key);
    const server = startWrongly(["--workers", "2", "--port", "0"], {
      TLS_CERT: cert,
      TLS_KEY: key,
    });
    assert.is(await server.exit, 1);
    assert.is(server.log.filter(({ level }) => level === "error").length, 1, server.stderr);
    assert.match(server.stderr, "TLS_CERT and TLS_KEY name files that do not serve");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a server that cannot start says so once, and ends", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { readonly port: number };
  const server = startWrongly(["--workers", "2", "--port", String(port)]);
  assert.is(await server.exit, 1);
  taken.close();
  const said = server.log.filter(({ level }) => level === "error");
  assert.is(said.length, 1, server.stderr);
  assert.match(said[0]?.message ?? "", `port ${port} on 127.0.0.1 is in use`);
});

test("a variable with a wrong value is named once", async () => {
  const server = startWrongly(["--workers", "2", "--port", "0"], { RATE: "fast" });
  assert.is(await server.exit, 1);
  const said = server.log.filter(({ level }) => level === "error");
  assert.equal(
    said.map(({ message }) => message),
    ['RATE must be a number, not "fast"'],
  );
});

test("a limit that is too small to be divided is refused", async () => {
  const server = startWrongly(["--workers", "2", "--port", "0"], { CONCURRENCY: "1" });
  assert.is(await server.exit, 1);
  assert.match(server.stderr, "limits.concurrency: 1 cannot be divided among 2 workers");
});

test("sessions behind a proxy are refused, and the command's usage follows", async () => {
  const server = startWrongly(["--workers", "2"], { SESSIONS: "memory", TRUST_PROXY: "1" });
  assert.is(await server.exit, 2);
  assert.match(server.stderr, "a session belongs to one process");
  assert.match(server.stderr, "--workers <number>");
});

test("the worker of another program does not start workers", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcp-workers-"));
  const other = join(folder, "other.mjs");
  await writeFile(
    other,
    `import cluster from "node:cluster";
if (cluster.isPrimary) cluster.fork().on("exit", (code) => process.exit(code));
else {
  process.argv = [process.execPath, "x", "--http", "--workers", "2", "--port", "0"];
  await import(${JSON.stringify(pathToFileURL(dividedProgram).href)});
}`,
  );
  const child = fork(other, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let text = "";
  child.stderr?.on("data", (data: Buffer) => (text += data.toString()));
  const [code] = (await once(child, "close")) as [number];
  await rm(folder, { recursive: true });
  assert.is(code, 1);
  assert.match(text, "this process is a worker of another program already");
});

test.run();
