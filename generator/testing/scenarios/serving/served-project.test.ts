import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { packageRoot } from "../../../text/package-root.js";
import { WebSocketClientTransport } from "../../../../templates/runtime/suite/clients/websocket-client.js";
import { DrivenTable } from "../../harness/clients/driven-table.js";
import { callEveryMethod, connectClient } from "../../harness/clients/every-method.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { inspect } from "../../harness/clients/inspector.js";
import { edit } from "../../harness/projects/project-folder.js";
import {
  socketTransport,
  startHttp,
  type Era,
  type StartedServer,
} from "../../harness/clients/project-clients.js";
import { WireRecord } from "../../harness/clients/wire-record.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { noWireSchemas, wireProblems, WireSchema } from "../../harness/clients/wire-schema.js";
import { SingleProcessTransport } from "../../harness/clients/single-process-transport.js";

/** The built server of examples/conformance, with more transports than it has, driven through every method by the official client. */

const test = suite("a served project");
const examples = fileURLToPath(new URL("examples/", packageRoot));
let folder: string;
let sockets: string;
let server: StartedServer;
const driven = new DrivenTable();

const TRANSPORTS = ["stdio", "HTTP", "SSE", "WebSocket", "custom"] as const;
/** Beside the manifest's, which has the first two. */
const MORE_TRANSPORTS = `  - { type: sse, port: 3300 }
  - { type: websocket, port: 3300 }
  - { type: custom, name: unix-socket }

card: { name: com.example/conformance, url: "https://mcp.example.com/mcp" }

env:
  SOCKET_PATH: { description: Path of the Unix-domain socket, default: conformance.sock }
`;
/** What a person wrote for the custom transport of examples/transports. */
const SOCKET_FILES = ["src/transports/unix-socket.ts", "test/socket-client.ts"];

/** What clients of each era have beside what both have. */
const OWN_METHODS: Readonly<Record<Era, readonly string[]>> = {
  legacy: ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
  modern: ["server/discover", "subscriptions/listen"],
};
const METHODS = [
  ...["tools/list", "tools/call", "resources/list", "resources/templates/list"],
  ...["resources/read", "prompts/list", "prompts/get", "completion/complete"],
];
/** What a server of each era says of itself. */
const HEARD: Readonly<Record<Era, readonly string[]>> = {
  legacy: ["elicitation/create", "sampling/createMessage", "roots/list"],
  modern: ["notifications/subscriptions/acknowledged", "input_required"],
};
const NOTIFICATIONS = [
  ...["notifications/message", "notifications/progress"],
  ...["notifications/tools/list_changed", "notifications/prompts/list_changed"],
];

/** Every method of the Inspector's command line but those of extensions, with what each prints. */
const INSPECTED: readonly (readonly [
  method: string,
  parameters: string[],
  expected: string,
  onlyIn?: Era,
])[] = [
  ["initialize", [], '"conformance"'],
  ["logging/setLevel", ["--log-level", "debug"], "{}", "legacy"],
  ["tools/list", [], "test_simple_text"],
  ["tools/call", ["--tool-name", "test_x_mcp_header", "--tool-arg", "region=eu"], "Region: eu"],
  ["resources/list", [], "test://watched-resource"],
  ["resources/templates/list", [], "test://template/{id}/data"],
  ["resources/read", ["--uri", "test://template/7/data"], "Data for ID: 7"],
  ["prompts/list", [], "test_simple_prompt"],
  [
    "prompts/get",
    [
      ...["--prompt-name", "test_prompt_with_arguments"],
      ...["--prompt-args", "arg1=one", "--prompt-args", "arg2=two"],
    ],
    "arg1='one', arg2='two'",
  ],
];

test.before(async () => {
  folder = await copyUserFiles(join(examples, "conformance"), "served");
  for (const file of SOCKET_FILES) await cp(join(examples, "transports", file), join(folder, file));
  sockets = await mkdtemp(join(tmpdir(), "mcpwright-sockets-"));
  await edit(folder, "mcp.yaml", (text) =>
    text.replace("    sessions: memory\n", `    sessions: memory\n${MORE_TRANSPORTS}`),
  );
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await buildProject(folder);
  const others = ["--sse", "--websocket", "--custom"];
  server = await startHttp(folder, { SOCKET_PATH: join(sockets, "s") }, others);
});
test.after(async () => {
  driven.print();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(sockets, { recursive: true, force: true });
});

const LEGACY = shortOrLong<readonly (typeof TRANSPORTS)[number][]>(["HTTP", "SSE"], TRANSPORTS);
for (const era of ["modern", "legacy"] as const) {
  for (const over of TRANSPORTS) {
    // HTTP with server-sent events ended with the older eras.
    if (over === "SSE" && era === "modern") continue;
    // In short, `every-transport.test.ts` has the other transports for clients of the older eras.
    if (era === "legacy" && !LEGACY.includes(over)) continue;
    test(`${over}, ${era}: every method is answered, and each message fits the protocol's schema`, async () => {
      const record = new WireRecord();
      const client = await connectClient(await transportOf(over, record), era);
      const called = await callEveryMethod(client, era);
      await client.close();
      assert.equal([...called].sort(), [...OWN_METHODS[era], ...METHODS].sort());
      const heard = record.heard();
      assert.equal([...heard].sort(), [...HEARD[era], ...NOTIFICATIONS].sort());
      driven.add(over, era, [...called, ...heard]);
      const messages = record.messages();
      assert.ok(messages.length > 40, `${messages.length} messages were recorded`);
      assert.equal(wireProblems(messages, era), []);
    });
  }
}

/** In short, `request-state.test.ts` has keys that change, and `served-by-workers.test.ts` processes with one key. */
if (shortOrLong(false, true)) {
  test("a question of one node can be continued only by nodes with the same key", async () => {
    const env = { REQUEST_STATE_KEY: `${"older".repeat(8)},${"newer".repeat(8)}` };
    const asking = await startHttp(folder, env);
    // Keys are changed one node after the other: the first seals, all open.
    const turned = { REQUEST_STATE_KEY: `${"newer".repeat(8)},${"older".repeat(8)}` };
    const taking = await startHttp(folder, turned);
    try {
      for (const [node, outcome] of [
        [taking, /username/],
        [server, /requestState/],
      ] as const) {
        const hop: typeof fetch = (url, init) =>
          fetch(String(init?.body).includes('"inputResponses"') ? node.url : url, init);
        const transport = new StreamableHTTPClientTransport(new URL(asking.url), { fetch: hop });
        const client = await connectClient(transport, "modern");
        const call = { name: "test_elicitation", arguments: { message: "Who are you?" } };
        const answer = client.callTool(call).then(JSON.stringify, String);
        assert.match(await answer, outcome);
        await client.close();
      }
    } finally {
      await asking.stop();
      await taking.stop();
    }
    const warned = (log: readonly string[]): boolean =>
      log.some((line) => /"warning".*REQUEST_STATE_KEY is not set/.test(line));
    assert.equal([server.log, asking.log].map(warned), [true, false]);
    const short = startHttp(folder, { REQUEST_STATE_KEY: "short" });
    assert.match(
      await short.then(String, String),
      "REQUEST_STATE_KEY must have at least 32 characters",
    );
  });
}

test("everyone can read the server card", async () => {
  const answer = await fetch(`${server.url}/server-card`, {
    headers: { host: "mcp.example.com", origin: "https://anywhere.example" },
  });
  assert.is(answer.status, 200);
  assert.is(answer.headers.get("access-control-allow-origin"), "*");
  const { name, version, remotes } = (await answer.json()) as {
    [key: string]: unknown;
  };
  assert.equal([name, version], ["com.example/conformance", "1.0.0"]);
  assert.match(JSON.stringify(remotes), '"url":"https://mcp.example.com/mcp"');
  const headers = { "if-none-match": answer.headers.get("etag") ?? "" };
  assert.is((await fetch(`${server.url}/server-card`, { headers })).status, 304);
});

testUnless(noWireSchemas, "a message that does not fit the protocol's schema is noticed", () => {
  const wrong = { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "nameless schema" }] } };
  for (const era of ["modern", "legacy"] as const) {
    const problems = new WireSchema(era).problemsOf({ message: wrong, answers: "tools/list" });
    assert.match(problems.join(), "inputSchema");
  }
});

for (const era of ["modern", "legacy"] as const) {
  // It has hundreds of packages, so that it is only installed where there is time.
  const transports = shortOrLong<readonly ("HTTP" | "stdio")[]>([], ["HTTP", "stdio"]);
  for (const over of transports) {
    test(`the Inspector's command line reads and calls everything (${over}, ${era})`, async () => {
      const target =
        over === "HTTP" ? server : { command: [process.execPath, ...stdioServer()], cwd: folder };
      const methods = INSPECTED.filter(([, , , onlyIn = era]) => onlyIn === era);
      for (const [method, parameters, expected] of methods) {
        const output = await inspect(target, era, method, parameters);
        assert.match(output, expected, method);
      }
      driven.add(`${over}, Inspector`, era, new Set(methods.map(([method]) => method)));
    });
  }
}

/** The arguments of a process that serves over stdio. */
function stdioServer(): string[] {
  return [join(folder, "dist/src/main.js"), "--stdio"];
}

async function transportOf(
  over: (typeof TRANSPORTS)[number],
  record: WireRecord,
): Promise<Transport> {
  if (over === "custom") return record.around(await socketTransport(folder, join(sockets, "s")));
  if (over === "SSE") return record.around(new SSEClientTransport(new URL("/sse", server.url)));
  if (over === "WebSocket") {
    return record.around(new WebSocketClientTransport(new URL("/ws", server.url).href));
  }
  if (over === "HTTP") {
    return new StreamableHTTPClientTransport(new URL(server.url), { fetch: record.fetch });
  }
  const command = { command: process.execPath, args: stdioServer(), cwd: folder };
  return record.around(new SingleProcessTransport({ ...command, stderr: "ignore" }));
}

test.run();
