import { once } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { WebSocketServer } from "ws";
import { RawClient } from "../../../../templates/runtime/samples/raw-client.js";
import { DevProcess } from "../../harness/clients/dev-process.js";
import { socketStatus } from "../../harness/clients/entrances.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { PageBrowser, withoutChromium } from "../../harness/clients/page-browser.js";
import { bin } from "../../harness/projects/project-folder.js";

/** Attacks on the ports that `dev` and `preview` open while a person works: from pages of others, and from programs. */

const test = suite("attacked ports");
const manifest = `name: demo
version: 1.0.0
transports: [{ type: http }, { type: websocket }]
tools:
  - name: greet
    description: Greets.
`;

interface AttackedPort {
  readonly name: string;
  readonly url: string;
  /** A path that every program may ask. */
  readonly path: string;
  readonly method: "GET" | "POST";
}

const ports: AttackedPort[] = [];
const processes: (ChildProcess | DevProcess)[] = [];
let folder: string;

/** The WebSocket endpoint of the server that `dev` has started, with the scheme of its requests. */
let socketUrl: string;

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-attacked-"));
  await writeFile(join(folder, "mcp.yaml"), manifest);
  const preview = spawn(process.execPath, [bin, "preview"], {
    ...{ cwd: folder, stdio: ["ignore", "pipe", "ignore"] as const },
  });
  processes.push(preview);
  for await (const line of createInterface({ input: preview.stdout! })) {
    const url = /^(http\S+) shows/.exec(line)?.[1] ?? "";
    ports.push({ name: "preview", url, path: "/preview", method: "GET" });
    ports.push({ name: "the server of preview", url, path: "/", method: "POST" });
    break;
  }
  await mcpwright(folder, "generate");
  await installShared(folder);
  const dev = new DevProcess(folder, "--", "--http", "--websocket", "--port", "0");
  processes.push(dev);
  const { url } = await dev.starts();
  ports.push({ name: "dev", url, path: "/mcp", method: "POST" });
  [, socketUrl = ""] = await dev.says(/"transport":"websocket","url":"([^"]+)"/);
});

test.after(async () => {
  for (const one of processes) one.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** The bytes of a request for the list of tools, or of one by GET. */
function request({ path, method, url }: AttackedPort, lines: readonly string[]): string {
  const hasHost = lines.some((line) => line.startsWith("Host:"));
  const body =
    method === "POST" ? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) : "";
  return [
    `${method} ${path} HTTP/1.1`,
    ...(hasHost ? [] : [`Host: ${new URL(url).host}`]),
    ...lines,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${body.length}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

async function statusOf(port: AttackedPort, ...lines: string[]): Promise<number> {
  const answer = await new RawClient(port.url).sendBytes(request(port, lines));
  assert.not.match(answer, /access-control-allow-origin/i, `${port.name} ${lines.join()}`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

const FOREIGN_NAMES = [
  ...["attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example"],
  ...["attacker.localhost", "0.0.0.0", "[::]", "localhost.", "127.0.0.1@attacker.example"],
];

test("programs of this machine may use the ports of preview and dev", async () => {
  for (const port of ports) assert.is(await statusOf(port), 200, port.name);
});

test("another name than that of this machine is refused, as after DNS rebinding", async () => {
  for (const port of ports) {
    for (const name of FOREIGN_NAMES) {
      for (const host of [name, `${name}:${new URL(port.url).port}`]) {
        assert.is(await statusOf(port, `Host: ${host}`), 403, `${port.name} ${host}`);
      }
    }
  }
});

test("pages of other origins are refused, also where they ask for an upgrade or a stream", async () => {
  const upgrade = ["Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  for (const port of ports) {
    const origins = FOREIGN_NAMES.slice(0, 4).flatMap((name) => [
      `https://${name}`,
      `http://${name}:${new URL(port.url).port}`,
    ]);
    for (const origin of [...origins, "null", "file://", "chrome-extension://abc"]) {
      const name = `${port.name} ${origin}`;
      assert.is(await statusOf(port, `Origin: ${origin}`), 403, name);
      assert.is.not(await statusOf(port, `Origin: ${origin}`, ...upgrade, key), 101, name);
    }
  }
});

test("a WebSocket is for programs of this machine, and not for pages of other origins", async () => {
  const url = new URL(socketUrl);
  assert.is(await socketStatus(url, {}), 101);
  for (const name of FOREIGN_NAMES) {
    for (const host of [name, `${name}:${url.port}`]) {
      assert.is(await socketStatus(url, { host }), 403, host);
      assert.is(await socketStatus(url, { origin: `http://${host}` }), 403, host);
    }
  }
  for (const origin of ["null", "file://", "chrome-extension://abc"])
    assert.is(await socketStatus(url, { origin }), 403, origin);
});

test("after large requests and many connections, a program is answered as before", async () => {
  for (const port of ports) {
    const { hostname, port: number } = new URL(port.url);
    const open: Socket[] = [];
    for (let index = 0; index < 300; index++) {
      const socket = connect(Number(number), hostname).on("error", () => undefined);
      const waiting = `GET ${port.path}?after=1 HTTP/1.1\r\nHost: ${hostname}\r\n`;
      socket.write(index % 2 === 0 ? waiting : `${waiting}\r\n`);
      open.push(socket);
    }
    const head = request(port, [`X-Long: ${"x".repeat(100_000)}`]);
    assert.match(await new RawClient(port.url).sendBytes(head), /^HTTP\/1\.1 431 |^$/, port.name);
    const big = `POST ${port.path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`;
    const answer = await new RawClient(port.url).sendBytes(
      `${big}Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: 50000000\r\n\r\n`,
      Buffer.alloc(50_000_000, " "),
    );
    assert.match(answer, /^HTTP\/1\.1 4\d\d |^$/, port.name);
    for (const socket of open) socket.destroy();
    assert.is(await statusOf(port), 200, port.name);
  }
});

/** What a page of another origin gets from a port: texts that it could read, and whether anything let it in. */
const attack = `async ({ url, path, socketUrl }) => {
  const got = [];
  const read = async (name, options) => {
    try {
      const answer = await fetch(new URL(path, url), options);
      if (answer.type !== "opaque") got.push(name);
    } catch {}
  };
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  await read("fetch", {});
  await read("post", { method: "POST", headers: json, body });
  await read("simple", { method: "POST", body });
  await read("no-cors", { mode: "no-cors" });
  const opens = (thing, name) => new Promise((resolve) => {
    thing.onopen = thing.onmessage = thing.onload = () => resolve(got.push(name));
    thing.onerror = () => resolve();
  });
  await opens(new EventSource(new URL(path, url)), "events");
  await opens(new WebSocket(socketUrl.replace("http", "ws"), "mcp"), "socket");
  const script = document.createElement("script");
  script.src = new URL(path, url);
  document.head.append(script);
  await opens(script, "script");
  return got;
}`;

const inBrowser = "a page of another origin in a browser reads nothing, and opens no stream";
if (withoutChromium === undefined) {
  test(inBrowser, async () => {
    const attacker = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<p>A page.</p>");
    }).listen(0, "127.0.0.1");
    await once(attacker, "listening");
    new WebSocketServer({ server: attacker });
    const browser = await PageBrowser.start();
    try {
      const address = attacker.address() as AddressInfo;
      const own = `http://attacker.localhost:${address.port}/`;
      const { page } = await browser.open(own);
      const attackAt = (url: string, path: string, socket = socketUrl): Promise<unknown> =>
        page.evaluate(`(${attack})(${JSON.stringify({ url, path, socketUrl: socket })})`);
      const allowed = await attackAt(own, "/", own);
      assert.equal(allowed, ["fetch", "post", "simple", "no-cors", "socket", "script"]);
      for (const { name, url, path } of ports) {
        assert.equal(await attackAt(url, path), [], name);
        assert.equal(await attackAt(url, path, new URL(path, url).href), [], name);
      }
    } finally {
      await browser.close();
      attacker.close();
      attacker.closeAllConnections();
    }
  });
} else {
  console.log(`skipped: ${inBrowser} (${withoutChromium})`);
  test.skip(inBrowser);
}

test("a browser's requests without an origin are refused where they come from other pages", async () => {
  const [preview] = ports;
  if (preview === undefined) return assert.unreachable();
  for (const site of ["cross-site", "same-site"]) {
    assert.is(await statusOf(preview, `Sec-Fetch-Site: ${site}`), 403);
  }
  for (const site of ["same-origin", "none"]) {
    assert.is(await statusOf(preview, `Sec-Fetch-Site: ${site}`), 200);
  }
});

test.run();
