import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { closeAll } from "../../../../templates/runtime/suite/clients/harness.js";
import {
  connectHttp,
  modernRequest,
  sendRaw,
} from "../../../../templates/runtime/suite/clients/http.js";
import { startHttp } from "../../harness/clients/project-clients.js";
import {
  findRuntime,
  LAMBDA_HANDLERS,
  startForeign,
  startLambda,
  startVercel,
  startWorker,
  type ForeignServer,
} from "../../harness/runner/other-runtimes.js";
import { runSuiteInWorker } from "../../harness/runner/worker-suite.js";
import { runProgram } from "../../harness/runner/programs.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { makeProject } from "../attacks/hostile-requests/demo-project.js";

/**
 * The manifest of `examples/edge`, with tools for what its own do not show, served by Node.js, Bun, Deno, as a worker and as a function of
 * AWS Lambda and Vercel: the answers are the same.
 */

const key = "a-key-of-ada";
const moreTools = `
  - name: redirected
    description: Is led to an address that is not the API's.
    inputSchema: { type: object, properties: {}, additionalProperties: false }
    http: { upstream: rates, method: GET, path: /redirect }
  - name: wait
    description: Answers after a while.
    inputSchema: { type: object, properties: { ms: { type: integer, description: How long } }, required: [ms], additionalProperties: false }
  - name: long
    description: Says much.
    inputSchema: { type: object, properties: {}, additionalProperties: false }
  - name: fail
    description: Fails.
    inputSchema: { type: object, properties: {}, additionalProperties: false }
${[1, 2, 3]
  .map(
    (index) => `  - name: fixed${index}
    description: Says number ${index}.
    content: [{ type: text, text: "number ${index}" }]`,
  )
  .join("\n")}
`;

/** The manifest of the example, whose API is on this machine here. */
function manifestOf(example: string): string {
  const local = example.replace("{ env: RATES_URL }", "{ env: RATES_URL }\n    private: true");
  return `${local.replace("\ntools:", "\nlimits: { bodyBytes: 100000 }\ntools:")}${moreTools}`;
}

const handler = (name: string, body: string): string =>
  `import type { ToolHandler } from "../generated/index.js";\n\nexport const ${name}: ToolHandler<"${name}"> = ${body};\n`;

/** In short, without Bun and Deno: process-runtimes.test.ts has them run the generated tests of a project with more transports. */
const processes = shortOrLong<readonly ("bun" | "deno")[]>([], ["bun", "deno"]);
/** In short, the handler whose answers are streams. */
const handlers = shortOrLong<typeof LAMBDA_HANDLERS | readonly ["streamingHandler"]>(
  ["streamingHandler"],
  LAMBDA_HANDLERS,
);

/** In short, without functions of Vercel, whose form is that of the runtime's own handler of requests. */
const vercel = shortOrLong<readonly string[]>([], ["vercel"]);

/** What each runtime starts with. */
const variables: Record<string, string> = {
  API_KEYS: `ada:${createHash("sha256").update(key).digest("hex")}:`,
};
const servers = new Map<string, Pick<ForeignServer, "url" | "stop">>();
let folder: string;
let api: Server;

const found = Object.fromEntries(
  await Promise.all(processes.map(async (name) => [name, await findRuntime(name)] as const)),
);
const workerd = await findRuntime("workerd");

test.before(async () => {
  api = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/redirect") {
      return void response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
    }
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const [base, quote = ""] = [searchParams.get("base"), searchParams.get("symbols") ?? ""];
    if (quote === "XXX") return void response.writeHead(404).end();
    const latest = { amount: 1, base, date: "2026-09-18", rates: { [quote]: 1.17 } };
    const body = pathname === "/currencies" ? { EUR: "Euro", USD: "US Dollar" } : latest;
    response.writeHead(200, headers).end(gzipSync(JSON.stringify(body)));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => api.once("listening", resolve));
  variables["RATES_URL"] = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  folder = await makeProject("edge", {
    "mcp.yaml": manifestOf(await readFile(new URL("examples/edge/mcp.yaml", packageRoot), "utf8")),
    "src/tools/wait.ts": handler(
      "wait",
      "async ({ ms }) => {\n  await new Promise((resolve) => setTimeout(resolve, ms));\n  return `waited ${ms}`;\n}",
    ),
    "src/tools/long.ts": handler("long", '() => "x".repeat(3_000_000)'),
    "src/tools/fail.ts": handler("fail", '() => {\n  throw new Error("secret");\n}'),
  });
  const command = join(folder, "node_modules/@mcpwright/runtime/dist/commands/main.js");
  const bundles = ["bundle-worker", "bundle-lambda"];
  for (const bundle of [...bundles, ...shortOrLong([], ["bundle", "bundle-vercel"])]) {
    await runProgram(folder, process.execPath, [command, bundle]);
  }
  servers.set("node", await startHttp(folder, variables));
  for (const name of processes) {
    const program = found[name]?.program;
    if (program === undefined) continue;
    const parameters = await startParameters(name);
    const flags = (port: number): string[] => [...parameters, "--port", String(port)];
    servers.set(name, await startForeign(program, flags, folder, variables));
  }
  for (const name of handlers) {
    servers.set(name, await startLambda(folder, name, variables));
  }
  for (const name of vercel) servers.set(name, await startVercel(folder, variables));
  if (workerd.program !== undefined) {
    servers.set("workerd", await startWorker(workerd.program, folder, variables));
  }
});

test.after(async () => {
  await closeAll();
  for (const server of servers.values()) await server.stop();
  api?.close();
  if (folder !== undefined) await rm(dirname(folder), { recursive: true, force: true });
});

/** What follows the name of the runtime in the script that starts the server on it. */
async function startParameters(name: "bun" | "deno"): Promise<string[]> {
  const text = await readFile(join(folder, "package.json"), "utf8");
  const { scripts } = JSON.parse(text) as { readonly scripts: Readonly<Record<string, string>> };
  return (scripts[`start:${name}`] ?? "").split(" ").slice(1);
}

/** What a request is answered with, but for what differs by the moment. */
interface Seen {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

async function send(runtime: string, request: (url: string) => Request): Promise<Seen> {
  const { status, headers, text } = await sendRaw(request(servers.get(runtime)?.url ?? ""));
  // The answer to a slow call may be an event, or its message alone.
  const message = /^(?:: keepalive\n\n)*event: message\ndata: (.*)\n\n$/.exec(text)?.[1];
  const type =
    message === undefined ? headers.get("content-type")?.split(";")[0] : "application/json";
  const steady = (message ?? text).trimStart().replace(/reference [0-9a-f]{8}/, "reference");
  return { status, type, text: steady };
}

/** The second one is what the platform of workers adds: the client's address. */
const authorized = { authorization: `Bearer ${key}`, "cf-connecting-ip": "127.0.0.1" };
const call =
  (name: string, args: object = {}, headers: Record<string, string> = {}) =>
  (url: string): Request =>
    modernRequest(url, "tools/call", { name, arguments: args }, { ...authorized, ...headers });
const raw =
  (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  (url: string): Request =>
    new Request(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...authorized, ...headers },
    });

/** Requests, honest and hostile, whose answers no runtime may change. */
const requests: Readonly<Record<string, (url: string) => Request>> = {
  "the list of tools": (url) => modernRequest(url, "tools/list", {}, authorized),
  "a fixed answer": call("fixed1"),
  "a body of http": call("list_currencies"),
  "a body of http with a selection": call("get_latest_rate", { base: "EUR", quote: "USD" }),
  "an error that the manifest names": call("get_latest_rate", { base: "EUR", quote: "XXX" }),
  "a redirect to an address that must not be reached": call("redirected"),
  "a slow call": call("wait", { ms: 400 }),
  "a slow call for JSON": call("wait", { ms: 400 }, { accept: "application/json" }),
  "a long answer": call("long"),
  "a handler that fails": call("fail"),
  "arguments that break the schema": call("get_latest_rate", { base: "euro" }),
  "an unknown tool": call("unknown"),
  "no credentials": call("fixed1", {}, { authorization: "" }),
  "another key": call("fixed1", {}, { authorization: "Bearer other" }),
  "a foreign origin": call("fixed1", {}, { origin: "https://evil.example" }),
  "another revision": call("fixed1", {}, { "mcp-protocol-version": "1999-01-01" }),
  "another method in the header": call("fixed1", {}, { "mcp-method": "tools/list" }),
  "a body that is too long": raw(" ".repeat(200_000)),
  "a body that is no JSON": raw("{"),
  "a body that is not UTF-8": raw(new Uint8Array([0x22, 0xc3, 0x28, 0x22])),
  "a body of another type": raw("{}", { "content-type": "text/plain" }),
  "a bomb": raw(new Uint8Array(gzipSync(Buffer.alloc(1_000_000, " "))), {
    "content-encoding": "gzip",
  }),
  "a body that is not compressed": raw("{}", { "content-encoding": "gzip" }),
  "an encoding that is not read": raw("{}", { "content-encoding": "br" }),
  "another verb": (url) => new Request(url, { method: "PUT", headers: authorized }),
  "an unknown path": (url) => new Request(url.replace("/mcp", "/nowhere")),
  health: (url) => new Request(url.replace("/mcp", "/healthz")),
};

/** What Node.js answers, by the names of requests. */
const answersOfNode = new Map<string, Promise<Seen>>();

function answerOfNode(what: string, request: (url: string) => Request): Promise<Seen> {
  const answer = answersOfNode.get(what) ?? send("node", request);
  answersOfNode.set(what, answer);
  return answer;
}

const runtimes: readonly (readonly [string, { readonly reason?: string | undefined }])[] = [
  ...Object.entries({ ...found, workerd }),
  ...[...handlers, ...vercel].map((name) => [name, {}] as const),
];
for (const [name, { reason }] of runtimes) {
  testUnless(reason, `${name} gives the same answers as Node.js, byte for byte`, async () => {
    for (const [what, request] of Object.entries(requests)) {
      assert.equal(await send(name, request), await answerOfNode(what, request), what);
    }
  });

  for (const era of ["modern", "legacy"] as const) {
    testUnless(reason, `${name} serves a client, ${era}`, async () => {
      const { url } = servers.get(name)!;
      const client = await connectHttp(url, era, (request) => {
        request.headers.set("authorization", `Bearer ${key}`);
        return fetch(request);
      });
      assert.is((await client.listTools()).tools.length, 10);
      const rate = { name: "get_latest_rate", arguments: { base: "EUR", quote: "USD" } };
      const { structuredContent } = await client.callTool(rate);
      assert.equal(structuredContent, { base: "EUR", date: "2026-09-18", rates: { USD: 1.17 } });
    });
  }

  testUnless(reason, `${name} answers many at once, also long answers`, async () => {
    const calls = shortOrLong(8, 20);
    const names = Array.from({ length: calls }, (_none, index) =>
      index % 2 === 0 ? "long" : "wait",
    );
    const all = await Promise.all(
      names.map((tool) => send(name, call(tool, tool === "wait" ? { ms: 300 } : {}))),
    );
    for (const { status, text } of all) assert.is(status, 200, text.slice(0, 300));
    const lengths = all.map(({ text }) => text.length);
    assert.is(lengths.filter((length) => length > 3_000_000).length, calls / 2, lengths.join());
  });
}

const suite = "dist/test/generated/server.test.js";
for (const name of processes) {
  const { program = "", reason } = found[name] ?? {};
  testUnless(reason, `the generated tests pass on ${name}`, async () => {
    const parameters = name === "deno" ? ["run", "--allow-all", suite] : [suite];
    const said = await runProgram(folder, program, parameters);
    const [, passed = ""] = /Passed:\s+(\d+)/.exec(said) ?? [];
    const [, total = ""] = /Total:\s+(\d+)/.exec(said) ?? [];
    assert.ok(Number(total) > 40 && passed === total, said);
  });
}

testUnless(workerd.reason, "the generated tests pass in a worker", async () => {
  const { passed, failed, skipped } = await runSuiteInWorker(workerd.program ?? "", folder);
  assert.equal(failed, []);
  assert.equal(skipped, []);
  assert.ok(passed.length > 40 && passed.includes("HTTP has a health check"), passed.join("\n"));
});

testUnless(workerd.reason, "a client that goes away ends its call in a worker", async () => {
  const { url, log } = servers.get("workerd") as ForeignServer;
  const gone = new AbortController();
  // Once the answer has begun, the platform notices it with the next byte.
  setTimeout(() => gone.abort(), 150);
  const request = new Request(call("wait", { ms: 5_000 })(url), { signal: gone.signal });
  const text = await fetch(request)
    .then((answer) => answer.text())
    .catch(() => "gone");
  assert.is(text, "gone");
  for (let turn = 0; turn < 100 && !log().includes('"cancelled"'); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.match(log(), '"outcome":"cancelled"');
});

test("a worker with ten tools and bodies of http is small", () => {
  const worker = readFileSync(join(folder, "dist/worker.mjs"));
  const bytes = gzipSync(worker, { level: 9 }).length;
  console.log(`dist/worker.mjs: ${worker.length} bytes, ${bytes} compressed`);
  assert.ok(bytes <= 200_000, `${bytes} bytes`);
});

test("wrangler.jsonc names the secrets, and has none", async () => {
  const text = await readFile(join(folder, "wrangler.jsonc"), "utf8");
  assert.match(text, "which `npx wrangler secret put NAME` sets: API_KEYS");
  assert.match(text, '"RATES_URL": "https://api.frankfurter.dev/v1"');
});

test.run();
