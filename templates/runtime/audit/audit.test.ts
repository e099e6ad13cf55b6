import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Client } from "@modelcontextprotocol/client";
import { Masking } from "../backends/masking.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Method } from "../engine/feature.js";
import { createLog } from "../observe/log.js";
import { caller } from "../samples/engine.js";
import { sampleServer, tool, erased } from "../samples/server.js";
import type { Facility } from "../server/facility.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { closeAll } from "../suite/clients/harness.js";
import { connectTo } from "../suite/clients/http.js";
import { convertMessage, exactNumbers } from "../tools/exact-numbers.js";
import { AuditTrail, openAudit } from "./audit.js";
import type { AuditDefinition } from "./definition.js";
import type { Trail } from "./trail.js";

const eras = ["modern", "legacy"] as const;
const SECRET = "s3cret-of-the-server";

const vault = tool(
  "vault",
  erased(({ code }: { code: string }) => `opened with ${code.length} characters`),
  {
    properties: {
      code: { type: "string", format: "password" },
      note: { type: "string" },
      deep: { type: "object", properties: { pin: { type: "string", writeOnly: true } } },
      list: { type: "array", items: { allOf: [{ format: "password" }] } },
    },
  },
);

const retired = tool(
  "retired",
  erased(() => "done"),
  { deprecated: {}, aliases: ["old"], open: true },
);

interface Audited {
  readonly server: RunningServer;
  readonly lines: Record<string, unknown>[];
  /** The lines as they were written. */
  readonly written: string[];
  /** The lines of the log. */
  readonly logged: string[];
  /** Whether the trail can write: always, never, or only the starts of calls. */
  disk: "working" | "full" | "full at the end";
}

function auditedServer(settings: Partial<AuditDefinition> = {}): Audited {
  const lines: Record<string, unknown>[] = [];
  const written: string[] = [];
  const logged: string[] = [];
  const trail: Trail = {
    write: async (line) => {
      const isLast = line.includes('"audit":"call"');
      if (state.disk === "full" || (state.disk === "full at the end" && isLast)) {
        throw new Error("ENOSPC");
      }
      written.push(line);
      lines.push(JSON.parse(line) as Record<string, unknown>);
    },
    synced: async () => undefined,
    close: async () => undefined,
  };
  const definition: ServerDefinition = {
    ...sampleServer,
    exactNumbers,
    tools: [...sampleServer.tools, vault, retired],
    audit: { arguments: "none", durable: false, ...settings },
  };
  const log = createLog({ write: (line) => void logged.push(line) });
  const masking = new Masking();
  masking.add(SECRET);
  const audit = new AuditTrail(definition, { trail, masking, log });
  const server = createServer(definition, { root: process.cwd(), log, facilities: [audit] });
  const state: Audited = { server, lines, written, logged, disk: "working" };
  return state;
}

const clientOf = ({ server }: Audited, era: (typeof eras)[number]): Promise<Client> =>
  connectTo(async (request) => {
    const body = await request.text();
    const parsedBody = body === "" ? {} : { parsedBody: JSON.parse(body) as unknown };
    return server.fetch(request, { ...parsedBody, address: "10.0.0.7" });
  }, era);

test.after(closeAll);

for (const era of eras) {
  test(`${era}: each use of an item has a line with its outcome`, async () => {
    const state = auditedServer();
    const client = await clientOf(state, era);
    await client.listTools();
    await client.callTool({ name: "weather_forecast", arguments: { city: "Bonn" } });
    await client.callTool({ name: "forecast", arguments: { city: "Atlantis" } });
    await client.callTool({ name: "forecast", arguments: { city: 5 } }).catch(() => undefined);
    await client.callTool({ name: "nothing\u202e", arguments: {} }).catch(() => undefined);
    await client.readResource({ uri: "sample://help" });
    await client.readResource({ uri: "sample://nothing/there" }).catch(() => undefined);
    assert.equal(
      state.lines.map(({ method, item, outcome }) => [method, item, outcome]),
      [
        ["tools/call", "forecast", "ok"],
        ["tools/call", "forecast", "tool_error"],
        ["tools/call", "forecast", "tool_error"],
        ["tools/call", "nothing\\u202e", "error"],
        ["resources/read", "help", "ok"],
        ["resources/read", undefined, "error"],
      ],
    );
    for (const {
      audit,
      time,
      era: lineEra,
      address,
      durationMs,
      arguments: shown,
    } of state.lines) {
      assert.equal([audit, lineEra, address, shown], ["call", era, "10.0.0.7", undefined]);
      assert.ok(typeof durationMs === "number" && !Number.isNaN(Date.parse(String(time))));
    }
  });
}

test("a line says that the item is deprecated, by whatever name it is called", async () => {
  const state = auditedServer({ durable: true });
  const client = await clientOf(state, "modern");
  for (const name of ["retired", "old", "forecast"]) {
    await client.callTool({ name, arguments: { city: "Bonn" } });
  }
  assert.equal(
    state.lines.map(({ audit, item, deprecated }) => [audit, item, deprecated]),
    [
      ...Array.from({ length: 2 }, () => [
        ["begun", "retired", true],
        ["call", "retired", true],
      ]).flat(),
      ["begun", "forecast", undefined],
      ["call", "forecast", undefined],
    ],
  );
});

test("a line shows numbers that JavaScript rounds with all their digits", async () => {
  const state = auditedServer({ arguments: "values" });
  const client = await connectTo(async (request) => {
    const body = (await request.text()).replaceAll('"NUMBER"', "12345678901234567890");
    const converted = convertMessage(Buffer.from(body)).toString();
    return state.server.fetch(request, { parsedBody: JSON.parse(converted) as unknown });
  }, "modern");
  await client.callTool({ name: "vault", arguments: { any: ["NUMBER"] } });
  await client
    .getPrompt({ name: "plan_trip", arguments: { city: "NUMBER" } })
    .catch(() => undefined);
  assert.match(state.written[0] ?? "", '"arguments":{"any":[12345678901234567890]}');
  assert.match(state.written[1] ?? "", '"arguments":{"city":12345678901234567890}');
  assert.not.match(state.written.join(), "rounded");
});

test("a line shows arguments by name, or by value with secrets masked", async () => {
  const input = {
    code: "open-sesame",
    note: `it is ${SECRET}`,
    deep: { pin: "1234", [SECRET]: 1 },
    list: ["a", "b"],
  };
  const shownBy = async (shown: AuditDefinition["arguments"], values: object): Promise<unknown> => {
    const state = auditedServer({ arguments: shown });
    const client = await clientOf(state, "modern");
    await client.callTool({ name: "vault", arguments: { ...values } });
    const { arguments: shownArguments, argumentsLength } = state.lines[0] ?? {};
    return shownArguments ?? argumentsLength;
  };
  assert.equal(await shownBy("none", input), undefined);
  assert.equal(await shownBy("names", input), ["code", "note", "deep", "list"]);
  assert.equal(await shownBy("values", input), {
    code: "[masked]",
    note: "it is [masked]",
    deep: { pin: "[masked]", "[masked]": 1 },
    list: ["[masked]", "[masked]"],
  });
  assert.is(await shownBy("values", { code: "x", note: "y".repeat(5_000) }), 5_029);
});

test("a line of a tool without arguments leaves out what clients make up for it", async () => {
  const state = auditedServer({ arguments: "values" });
  const client = await clientOf(state, "legacy");
  const { isError } = await client.callTool({ name: "picture", arguments: { random_string: "x" } });
  assert.not.ok(isError);
  assert.equal(state.lines[0]?.["arguments"], {});
});

test("if lines cannot be written, calls go on, and the log reports the loss once", async () => {
  const state = auditedServer();
  const client = await clientOf(state, "modern");
  state.disk = "full";
  for (let call = 0; call < 3; call++) {
    const { isError } = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.not.ok(isError);
  }
  const reports = state.logged.filter((line) => line.includes("audit trail cannot be written"));
  assert.is(reports.length, 1);
  assert.equal(state.lines, []);
});

test("durable: a call whose line cannot be written gets an error instead of an answer", async () => {
  let answers = 0;
  const state = auditedServer({ durable: true });
  const client = await clientOf(state, "modern");
  await client.callTool({ name: "greet", arguments: { who: "Ada" } });
  assert.equal(
    state.lines.map(({ audit, outcome }) => [audit, outcome]),
    [
      ["begun", undefined],
      ["call", "ok"],
    ],
  );
  const callGreet = async (): Promise<string> => {
    try {
      await client.callTool({ name: "greet", arguments: { who: "Ada" } });
      answers += 1;
      return "answered";
    } catch (error) {
      return (error as Error).message;
    }
  };
  state.disk = "full";
  assert.match(await callGreet(), "is not made");
  state.disk = "full at the end";
  assert.match(await callGreet(), "was made, and cannot be written down");
  state.disk = "working";
  assert.is(await callGreet(), "answered");
  assert.is(answers, 1);
});

test("a line names who acts for the principal, and for whom services were asked", async () => {
  const lines: Record<string, unknown>[] = [];
  const trail: Trail = {
    write: async (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    synced: async () => undefined,
    close: async () => undefined,
  };
  const audited = { ...sampleServer, audit: { arguments: "none", durable: false } } as const;
  const audit = new AuditTrail(audited, { trail, masking: new Masking(), log: createLog() });
  const asked = { upstream: "ledger", actor: "books", subject: "ada" };
  const answer: Method["answer"] = (_parameters, caller) => {
    // Runners of handlers pass copies on.
    const { actedFor } = { ...caller };
    if (caller.requestId === 2) actedFor?.push(asked);
    return { content: [] };
  };
  const methods = audit.wrapMethods({ "tools/call": { answer } as Method });
  const claims = { sub: "ada", act: { sub: "agent-7\u202e", token: "t" } };
  const known = { principal: "idp|ada", scopes: [], via: "jwt", expiresAt: 9e9, claims } as const;
  for (const requestId of [1, 2]) {
    await methods["tools/call"]?.answer({}, { ...caller, requestId, authentication: known });
  }
  assert.equal(
    lines.map(({ principal, actor, actedFor }) => [principal, actor, actedFor]),
    [
      ["idp|ada", "agent-7\\u202e", undefined],
      ["idp|ada", "agent-7\\u202e", [asked]],
    ],
  );
});

test("each refusal has its own line", async () => {
  const state = auditedServer();
  const refusal = { status: 401, reason: "Unauthorized", address: "10.0.0.8" };
  for (let count = 0; count < 3; count++) state.server.observer?.refuse("http", refusal);
  const body = { jsonrpc: "2.0", id: SECRET, method: "tools/call", params: { name: "greet" } };
  const forbidden = { status: 403, reason: "Insufficient scope", principal: "ada" };
  state.server.observer?.refuse("websocket", forbidden, body);
  assert.equal(
    state.lines.map(({ time: _time, ...line }) => line),
    [
      ...Array.from({ length: 3 }, () => ({
        ...{ audit: "refused", address: "10.0.0.8", transport: "http" },
        ...{ status: 401, reason: "Unauthorized" },
      })),
      {
        ...{ audit: "refused", principal: "ada", transport: "websocket", method: "tools/call" },
        ...{ item: "greet", requestId: "[masked]", status: 403, reason: "Insufficient scope" },
      },
    ],
  );
});

test("the file is in the project's folder, unless updates replace that folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "audit-file-"));
  try {
    const definition = {
      ...sampleServer,
      audit: { to: { env: "AUDIT_FILE" }, arguments: "names", durable: false },
    } as const;
    const open = (root: string, path: string): Facility =>
      openAudit(definition, { AUDIT_FILE: path }, { root, log: createLog() });
    await open(folder, "audit.log").close?.();
    assert.equal(await readdir(folder), ["audit.log"]);
    const installed = join(folder, "node_modules/server");
    assert.throws(
      () => open(installed, "audit.log"),
      /would be lost with the next version, .*; set AUDIT_FILE to an absolute path/,
    );
    await open(installed, join(folder, "other.log")).close?.();
    assert.equal((await readdir(folder)).sort(), ["audit.log", "other.log"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.run();
