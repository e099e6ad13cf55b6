import { rmSync } from "node:fs";
import { request, type RequestOptions } from "node:https";
import type { IncomingMessage } from "node:http";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { httpEndpoint } from "../../../../templates/runtime/http/endpoint.js";
import { WebSocket } from "ws";
import { webSocketEndpoint } from "../../../../templates/runtime/websocket/endpoint.js";
import type { HttpDefinition } from "../../../../templates/runtime/http/definition.js";
import { listen } from "../../../../templates/runtime/http/listener.js";
import type { RunningHttp } from "../../../../templates/runtime/http/transport.js";
import { createLog } from "../../../../templates/runtime/observe/log.js";
import { freePort } from "../../../../templates/runtime/samples/free-port.js";
import { LocalProxy, type ProxyName } from "../../../../templates/runtime/samples/local-proxy.js";
import { erased, sampleServer, tool } from "../../../../templates/runtime/samples/server.js";
import { createServer } from "../../../../templates/runtime/server/create-server.js";
import { testTls } from "../../../../templates/runtime/suite/clients/tls.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { normalize } from "../../../3-normalize/normalize.js";
import { serverDocumentView } from "../../../5-emit/project/server-document.js";
import { renderTemplate } from "../../../5-emit/project/templates.js";

/** The lines of SERVER.md for proxies, run by these proxies in front of a server. */
const HOST = "mcp.example.com";
const files = testTls().writeFiles();
test.after(() => rmSync(files.folder, { recursive: true, force: true }));

/** The block of SERVER.md for a proxy, for a server whose `http` has this port. */
async function linesOf(language: string, port: number, socketPort?: number): Promise<string> {
  const address = { allowedHosts: [HOST], trustProxy: 1 };
  const http = { type: "http" as const, port, ...address };
  const socket = { type: "websocket" as const, port: socketPort ?? port, ...address };
  const transports = socketPort === undefined ? [http] : [http, socket];
  const model = normalize({ name: "planner", version: "1.0.0", transports });
  const text = await renderTemplate("SERVER.md", serverDocumentView(model));
  const [, lines] = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\`\n`).exec(text) ?? [];
  assert.ok(lines, text);
  return lines as string;
}

/** What a reader adds to the lines of nginx, and where its files are in this test. */
function nginx(lines: string, port: number): (folder: string) => string {
  const server = lines
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${files.cert};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${files.key};`);
  return (folder) => `daemon off;
pid ${folder}/pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${server}
}
`;
}

/** The same for Caddy, which would ask a certificate authority for a certificate. */
function caddy(lines: string, port: number): (folder: string) => string {
  const site = lines.replace(
    `${HOST} {`,
    `https://${HOST}:${port} {\n  bind 127.0.0.1\n  tls ${files.cert} ${files.key}`,
  );
  return () => `{\n  admin off\n  auto_https off\n}\n${site}\n`;
}

const PROXIES: readonly {
  readonly name: ProxyName;
  readonly language: string;
  readonly configure: (lines: string, port: number) => (folder: string) => string;
  /** Changes the lines as the section says, so that the proxy takes a prefix away. */
  readonly withPrefix: (lines: string) => string;
}[] = [
  {
    ...{ name: "nginx", language: "nginx", configure: nginx },
    withPrefix: (lines) =>
      lines
        .replace("location / {", "location /planner/ {")
        .replace(/(proxy_pass \S+);/, "$1/;")
        .replace("location = /ws {", "location = /planner/ws {"),
  },
  {
    ...{ name: "caddy", language: "caddyfile", configure: caddy },
    withPrefix: (lines) =>
      lines.replace(
        / {2}reverse_proxy[^]*\n {2}\}\n/,
        (block) => `  handle_path /planner/* {\n${block}  }\n`,
      ),
  },
];

/** A server whose tool `wait` tells of its progress and then waits for the test. */
class WaitingServer {
  readonly #http: RunningHttp;
  readonly release: () => void;

  private constructor(http: RunningHttp, release: () => void) {
    this.#http = http;
    this.release = release;
  }

  static async start(port: number): Promise<WaitingServer> {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const wait = tool(
      "wait",
      erased(async (_input: object, ctx: { progress(done: number): Promise<void> }) => {
        await ctx.progress(1);
        await released;
        return "done";
      }),
    );
    const log = createLog({ write: () => undefined });
    const limits = { ratePerSecond: 5, burst: 5 };
    const server = createServer({ ...sampleServer, tools: [wait], limits }, { root: ".", log });
    const sample = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
    const definition = { ...sample, port, allowedHosts: [HOST], trustProxy: 1 };
    const socket = { ...definition, type: "websocket" as const, path: "/ws" };
    const endpoints = [
      httpEndpoint(server, definition),
      webSocketEndpoint(server, socket),
    ] as const;
    return new WaitingServer(await listen(server, [...endpoints]), release);
  }

  close(): Promise<void> {
    this.release();
    return this.#http.close();
  }
}

function post(
  port: number,
  path: string,
  message: object,
  more: object = {},
): Promise<IncomingMessage> {
  const headers = {
    host: `${HOST}:${port}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...more,
  };
  const options: RequestOptions = {
    ...{ host: "127.0.0.1", port, path, method: "POST", headers, agent: false },
    ...{ servername: HOST, rejectUnauthorized: false },
  };
  return new Promise((resolve, reject) => {
    request(options, resolve)
      .on("error", reject)
      .end(JSON.stringify({ jsonrpc: "2.0", ...message }));
  });
}

/** Reads an answer until it has a text, or has ended. */
async function readUntil(answer: IncomingMessage, text: string): Promise<string> {
  let read = "";
  for await (const chunk of answer) {
    read += String(chunk);
    if (read.includes(text)) break;
  }
  return read;
}

/** True if the server answered a ping, and not the proxy in its place. */
async function reaches(port: number, path: string, more: object = {}): Promise<boolean> {
  return (await readUntil(await post(port, path, ping, more), "}")).includes('"result"');
}

/** Sends a ping over a WebSocket. @returns the answer, or the status with which the socket is refused */
async function answerOverSocket(port: number, path: string, more: object = {}): Promise<string> {
  const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, "mcp", {
    ...{
      servername: HOST,
      rejectUnauthorized: false,
      headers: { host: `${HOST}:${port}`, ...more },
    },
  });
  socket.on("error", () => undefined);
  socket.on("open", () => {
    const clientInfo = { name: "behind", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const handshake = { id: 1, method: "initialize", params };
    for (const message of [handshake, ping]) {
      socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    }
  });
  return new Promise((resolve) => {
    socket.on("unexpected-response", (_request, { statusCode }) => resolve(String(statusCode)));
    socket.on("message", (data: Buffer) => {
      const text = data.toString();
      if (!text.includes('"id":2')) return;
      socket.close();
      resolve(text);
    });
  });
}

const call = {
  id: 1,
  method: "tools/call",
  params: { name: "wait", arguments: {}, _meta: { progressToken: "p" } },
};
const ping = { id: 2, method: "ping" };

for (const { name, language, configure, withPrefix } of PROXIES) {
  const why = await LocalProxy.whyWithout(name);
  const title = (text: string): string => `a server behind ${name}: ${text}`;

  /** Runs the server behind the proxy, with these lines of SERVER.md or changed ones. */
  const serve = async (
    use: (port: number, server: WaitingServer) => Promise<void>,
    change: (lines: string) => string = (lines) => lines,
    hasSocket = false,
  ): Promise<void> => {
    const [own, port] = [await freePort(), await freePort()];
    const server = await WaitingServer.start(own);
    const lines = change(await linesOf(language, own, hasSocket ? own : undefined));
    const proxy = await LocalProxy.start(name, port, configure(lines, port));
    try {
      await use(port, server);
    } finally {
      await proxy.close();
      await server.close();
    }
  };

  testUnless(why, title("TLS, another host and port, and progress that is not held back"), () =>
    serve(async (port, server) => {
      const answer = await post(port, "/mcp", call);
      assert.is(answer.statusCode, 200);
      assert.match(await readUntil(answer, '"progress":1'), "notifications/progress");
      server.release();
      assert.match(await readUntil(await post(port, "/mcp", call), "done"), '"text":"done"');
      const page = { origin: `https://${HOST}:8443` };
      assert.not(await reaches(port, "/mcp", page), "an origin that is not allowed");
      assert.not(await reaches(port, "/mcp", { host: "other.example" }));
    }),
  );

  testUnless(why, title("each client has its own limit, whatever it says of its address"), () =>
    serve(async (port) => {
      const statuses = [];
      for (let at = 0; at < 12; at++) {
        const { statusCode } = await post(port, "/mcp", ping, {
          "x-forwarded-for": `10.0.0.${at}`,
        });
        statuses.push(statusCode);
      }
      assert.is(statuses[0], 200);
      assert.ok(statuses.includes(429), "a made-up address would be another client each time");
    }),
  );

  testUnless(why, title("a path prefix is taken away"), () =>
    serve(async (port) => {
      assert.ok(await reaches(port, "/planner/mcp"));
      assert.not(await reaches(port, "/mcp"));
    }, withPrefix),
  );

  for (const [where, path, change] of [
    ["at its path", "/ws", (lines: string) => lines],
    ["below a path prefix", "/planner/ws", withPrefix],
  ] as const) {
    testUnless(why, title(`a WebSocket ${where}`), () =>
      serve(
        async (port) => {
          assert.match(await answerOverSocket(port, path), '"result":{}');
          assert.is(await answerOverSocket(port, path, { origin: "https://other.example" }), "403");
        },
        change,
        true,
      ),
    );
  }

  test(`the lines for ${name} have the address of a WebSocket at another port`, async () => {
    const lines = await linesOf(language, 3000, 3001);
    assert.match(
      lines,
      name === "nginx" ? "http://127.0.0.1:3001/ws;" : "/ws http://127.0.0.1:3001\n",
    );
  });
}

test.run();
