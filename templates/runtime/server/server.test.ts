import { connectTo, modernRequest, sendRaw } from "../suite/clients/http.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Client } from "@modelcontextprotocol/client";
import { createServer, type RunningServer } from "./create-server.js";
import { withReplacedHandlers } from "./replaced-handlers.js";
import { createLog } from "../observe/log.js";
import type { Era } from "../context/context.js";
import { Connection } from "../suite/clients/connection.js";
import { closeAll } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";

const url = "http://localhost/mcp";
const lines: string[] = [];
const server = sampleInProcess();
test.after(closeAll);

function sampleInProcess(options: Partial<Parameters<typeof createServer>[1]> = {}): RunningServer {
  const log = createLog({ write: (line) => void lines.push(line) });
  return createServer(sampleServer, { root: process.cwd(), log, ...options });
}

function client(era: Era, using: RunningServer = server): Promise<Client> {
  return connectTo((request) => using.fetch(request), era);
}

const send = (request: Request) => sendRaw(request, (one) => server.fetch(one));

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: a client reads the identity and the capabilities of the server, and every list`, async () => {
    const connected = await client(era);
    assert.equal(connected.getServerVersion(), sampleServer.info);
    assert.is(connected.getInstructions(), sampleServer.instructions);
    assert.equal(Object.keys(connected.getServerCapabilities() ?? {}).sort(), [
      "completions",
      "logging",
      "prompts",
      "resources",
      "tools",
    ]);
    const { tools } = await connected.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      sampleServer.tools.map(({ definition }) => definition.name),
    );
    const { resources } = await connected.listResources();
    assert.equal(
      resources,
      sampleServer.resources.map(({ definition }) => definition),
    );
    const { resourceTemplates } = await connected.listResourceTemplates();
    assert.is(resourceTemplates.length, sampleServer.resourceTemplates.length);
    const { prompts } = await connected.listPrompts();
    assert.is(prompts.length, sampleServer.prompts.length);
  });

  test(`${era}: a client calls tools, reads resources, gets prompts and completes arguments`, async () => {
    const connected = await client(era);
    const forecast = await connected.callTool({ name: "forecast", arguments: { city: "Berlin" } });
    assert.equal(forecast.structuredContent, { city: "Berlin", days: [0, 1, 2] });
    const fixed = await connected.callTool({ name: "notice", arguments: { who: "Ada" } });
    assert.equal(fixed.content, [{ type: "text", text: "Dear Ada, closed." }]);
    const failed = await connected.callTool({ name: "fail" });
    assert.ok(failed.isError);
    assert.not.match(JSON.stringify(failed), /hunter2|\/home/);
    const read = await connected.readResource({ uri: "sample://cities/Bern" });
    assert.match(JSON.stringify(read.contents), /About Bern/);
    const prompt = await connected.getPrompt({ name: "plan_trip", arguments: { city: "Bern" } });
    assert.match(JSON.stringify(prompt.messages), /Plan a trip to Bern\./);
    const completed = await connected.complete({
      ref: { type: "ref/prompt", name: "plan_trip" },
      argument: { name: "city", value: "b" },
    });
    assert.equal(completed.completion.values, ["Berlin", "Bern"]);
  });

  test(`${era}: progress reaches the caller that asked for it`, async () => {
    const connected = await client(era);
    const reports: unknown[] = [];
    const onprogress = (report: unknown): void => void reports.push(report);
    await connected.callTool({ name: "report" }, { onprogress });
    assert.equal(reports, [
      { progress: 0, total: 2 },
      { progress: 1, total: 2, message: "half" },
    ]);
  });

  test(`${era}: errors have the protocol's codes`, async () => {
    const connected = await client(era);
    const codes = await Promise.all(
      [
        connected.callTool({ name: "nope" }),
        connected.readResource({ uri: "sample://nope" }),
        connected.getPrompt({ name: "nope" }),
        connected.getPrompt({ name: "plan_trip" }),
        connected.listTools({ cursor: "made up" }),
        connected.complete({
          ref: { type: "ref/prompt", name: "nope" },
          argument: { name: "a", value: "" },
        }),
      ].map((request) => request.then(() => 0).catch((error: { code: number }) => error.code)),
    );
    assert.equal(codes, [-32602, -32602, -32602, -32602, -32602, -32602]);
  });
}

test("lists are sent as the tables have them, including the titles of prompt arguments", async () => {
  const { message } = await send(modernRequest(url, "prompts/list"));
  assert.equal(
    message.result?.["prompts"],
    sampleServer.prompts.map(({ definition }) => definition),
  );
});

test("a list as structured content reaches older clients wrapped in an object", async () => {
  const list = { name: "list_numbers", arguments: { count: 2 } };
  const modern = await (await client("modern")).callTool(list);
  assert.equal(modern.structuredContent, [1, 1]);
  const legacy = await (await client("legacy")).callTool(list);
  assert.equal(legacy.structuredContent, { result: [1, 1] });
});

test("a client gets log messages only if it requests them", async () => {
  const call = modernRequest(url, "tools/call", { name: "report" });
  assert.not.match((await send(call)).text, /half way/);
  const body = JSON.parse(await modernRequest(url, "tools/call", { name: "report" }).text());
  body.params._meta["io.modelcontextprotocol/logLevel"] = "info";
  const { headers } = modernRequest(url, "tools/call", { name: "report" });
  const asked = new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
  assert.match((await send(asked)).text, /"data":\{"message":"half way","step":1\}/);
});

test("legacy: an unknown log level is refused with a message", async () => {
  const one = await client("legacy");
  const set = (params: object): Promise<string> =>
    one.request({ method: "logging/setLevel", params } as never).then(
      () => "set",
      ({ code, message }: { code: number; message: string }) => `${code} ${message}`,
    );
  assert.is(await set({ level: "notice" }), "set");
  assert.match(await set({ level: "" }), "-32602");
  assert.match(await set({}), /^-32602 .*"level" must be a string/);
  const loud = await set({ level: "loud" });
  assert.match(loud, /^-32602 .*Unknown log level; there are debug, info, notice,/);
});

test("header parameters are compared with the arguments of the tool that has them", async () => {
  const call = (name: string, headers: Record<string, string>) =>
    send(modernRequest(url, "tools/call", { name, arguments: { region: "eu" } }, headers));
  for (const name of ["regional", "local"]) {
    const answer = await call(name, { "mcp-param-region": "eu" });
    assert.equal(answer.message.result?.["content"], [{ type: "text", text: "in eu" }], name);
    for (const headers of [
      {},
      { "mcp-param-region": "us" },
      { "mcp-name": `=?base64?${Buffer.from(name).toString("base64")}?=` },
    ]) {
      const { status, message } = await call(name, headers);
      assert.equal([status, message.error?.code], [400, -32020], name);
    }
  }
  const list = await send(modernRequest(url, "tools/list"));
  assert.is((list.message.result?.["tools"] as unknown[]).length, sampleServer.tools.length);
});

test("requests that are wrong in their headers or their form are refused", async () => {
  const cases: [
    method: string,
    params: Record<string, unknown>,
    headers?: Record<string, string>,
  ][] = [
    ["tools/call", { name: "echo", arguments: [] }],
    ["tools/call", { name: "echo", arguments: "x" }],
    ["tools/call", { name: "echo", arguments: JSON.parse('{"__proto__":{"isAdmin":true}}') }],
    ["prompts/get", { name: "plan_trip", arguments: { city: 1 } }],
    ["resources/read", { uri: 1 }, { "mcp-name": "1" }],
  ];
  for (const [method, params, headers] of cases) {
    const { message } = await send(modernRequest(url, method, params, headers));
    assert.ok([-32602, -32020].includes(message.error?.code ?? 0), JSON.stringify(message));
  }
  for (const method of ["nope", "rpc.x", "__proto__", "initialize", "x".repeat(1_000_000)]) {
    const { status, message } = await send(modernRequest(url, method));
    assert.equal([status, message.error?.code], [404, -32601], method.slice(0, 20));
  }
});

test("mocks answer for stubs, and handlers can be replaced", async () => {
  const mocked = await client("modern", sampleInProcess({ mock: true }));
  assert.match(JSON.stringify(await mocked.callTool({ name: "stub" })), /mocked/);
  const definition = withReplacedHandlers(sampleServer, ({ kind, name }) =>
    kind === "tool" && name === "greet" ? () => "replaced" : undefined,
  );
  const replaced = await client("modern", createServer(definition, { root: process.cwd() }));
  const answer = await replaced.callTool({ name: "greet", arguments: { who: "Ada" } });
  assert.equal(answer.content, [{ type: "text", text: "replaced" }]);
});

test("after all tests, no answer has a secret and each line of the log is JSON", () => {
  for (const line of lines) assert.type(JSON.parse(line).message, "string");
});

test("only clients of the newest era get caching hints, and an item's have priority over the server's", async () => {
  const [help, dot, ...others] = sampleServer.resources;
  const cache = { ttlMs: 60_000, cacheScope: "public" } as const;
  const cached = createServer(
    { ...sampleServer, cache, resources: [{ ...help!, cache: { ttlMs: 5 } }, dot!, ...others] },
    { root: process.cwd(), log: createLog({ write: () => undefined }) },
  );
  const hints = async (method: string, params = {}) => {
    const request = modernRequest(url, method, params);
    const { result } = (await sendRaw(request, (one) => cached.fetch(one))).message;
    return [result?.["ttlMs"], result?.["cacheScope"]];
  };
  for (const method of [
    "server/discover",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
  ]) {
    assert.equal(await hints(method), [60_000, "public"], method);
  }
  assert.equal(await hints("resources/read", { uri: "sample://help" }), [5, "public"]);
  assert.equal(await hints("resources/read", { uri: "sample://dot" }), [60_000, "public"]);
  const legacy = await Connection.open(cached.factory, "legacy");
  for (const [method, params] of [
    ["resources/read", { uri: "sample://help" }],
    ["tools/list", {}],
  ] as const) {
    const keys = Object.keys(await legacy.request(method, params));
    assert.not.ok(keys.includes("ttlMs") || keys.includes("cacheScope"), keys.join());
  }
  await legacy.close();
});

test("facilities are closed once, although each listener and the process close the server", async () => {
  let closed = 0;
  const backends = { close: async () => void (closed += 1) };
  const definition = { ...sampleServer, createBackends: () => backends };
  const stopped = createServer(definition, { root: process.cwd(), log: createLog() });
  await Promise.all([stopped.close(), stopped.close()]);
  await stopped.close();
  assert.is(closed, 1);
});

test.run();
