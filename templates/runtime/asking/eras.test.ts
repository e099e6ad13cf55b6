import { modernRequest, sendRaw } from "../suite/clients/http.js";
import type { HttpDefinition } from "../http/definition.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { InMemoryTransport, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { ServerDefinition } from "../engine/definition.js";
import { listen } from "../http/listener.js";
import { httpEndpointWithSessions } from "../http/sessions.js";
import { createLog } from "../observe/log.js";
import { heartbeatMs, type Era } from "../context/context.js";
import { hurryTimers } from "../samples/hurried-timers.js";
import { askingParts, sampleAsks, type AskingContext } from "../samples/asking.js";
import { erased, sampleServer, tool } from "../samples/server.js";

/** Handlers that ask, served by the SDK to the official client in both eras. */

async function askAll(_input: unknown, ctx: AskingContext): Promise<string> {
  ctx.log.info("started");
  await ctx.progress(1, 2);
  const { name } = await ctx.elicit.name();
  const [{ ok }, { content }, roots] = await Promise.all([
    ctx.elicit.confirm({ env: name }),
    ctx.sample({ messages: [], maxTokens: 5 }),
    ctx.roots(),
  ]);
  const paid = await ctx.elicit.pay({ what: "tea" });
  await ctx.progress(2, 2);
  return JSON.stringify([name, ok, content, roots.map(({ uri }) => uri), paid]);
}

const expected = ["Ada", true, { type: "text", text: "Paris" }, ["file:///work"], true];

const code = erased(askAll as never);
const asking = { handler: () => code, asks: sampleAsks };
const definition: ServerDefinition = {
  ...sampleServer,
  ...askingParts,
  tools: [tool("ask", code, { asks: sampleAsks })],
  resources: [{ definition: { uri: "sample://ask", name: "ask" }, ...asking }],
  resourceTemplates: [
    {
      definition: { uriTemplate: "sample://ask/{id}", name: "ask-one" },
      parts: [
        { kind: "literal", text: "sample://ask/" },
        { kind: "expression", operator: "", names: ["id"], explode: false },
      ],
      ...asking,
    },
  ],
  prompts: [{ definition: { name: "ask" }, ...asking }],
};

const opened: { close(): Promise<unknown> }[] = [];
test.after(async () => {
  await Promise.all(opened.reverse().map((one) => one.close()));
});

function makeServer(): RunningServer {
  const log = createLog({ write: () => undefined });
  return createServer(definition, { root: process.cwd(), log });
}

/** A user who agrees to everything, after a first answer that does not fit. */
function answering(client: Client): Client {
  let names = 0;
  client.setRequestHandler("elicitation/create", ({ params }) => {
    if (params.mode === "url") return { action: "accept" };
    if (params.message.startsWith("Deploy")) return { action: "accept", content: { ok: true } };
    return { action: "accept", content: { name: (names += 1) === 1 ? "A" : "Ada" } };
  });
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "Paris" },
  }));
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///work" }] }));
  return client;
}

async function connect(transport: Transport, era: Era, capabilities: object): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
  const client = new Client(
    { name: "asking", version: "1.0.0" },
    { capabilities, versionNegotiation: { mode } },
  );
  if ("sampling" in capabilities) answering(client);
  opened.push(client);
  await client.connect(transport);
  return client;
}

const everything = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

const transports: Record<string, (era: Era) => Promise<Transport>> = {
  "over stdio": async () => {
    const [own, theirs] = InMemoryTransport.createLinkedPair();
    opened.push(serveStdio(makeServer().factory, { transport: theirs }));
    return own;
  },
  "over HTTP": async (era) => {
    const server = makeServer();
    if (era === "modern") {
      return new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
        fetch: (url, init) => server.fetch(new Request(url, init)),
      });
    }
    const http = definition.transports.find(({ type }) => type === "http") as HttpDefinition;
    const endpoint = httpEndpointWithSessions(server, { ...http, sessions: "memory" });
    const listener = await listen(server, [endpoint]);
    opened.push(listener);
    return new StreamableHTTPClientTransport(new URL(listener.url));
  },
};

for (const era of ["modern", "legacy"] as const) {
  for (const [where, open] of Object.entries(transports)) {
    test(`${era} ${where}: tools, prompts, resources and templates ask`, async () => {
      const client = await connect(await open(era), era, everything);
      const reports: number[] = [];
      // The client adds its own reports, without a total, in each round.
      const onprogress = ({
        progress,
        total,
      }: {
        progress: number;
        total?: number | undefined;
      }) => {
        if (total !== undefined) reports.push(progress);
      };
      const called = await client.callTool({ name: "ask" }, { onprogress });
      const [block] = called.content;
      assert.equal(JSON.parse(block?.type === "text" ? block.text : ""), expected);
      assert.equal(reports, [1, 2]);
      const { messages } = await client.getPrompt({ name: "ask" });
      const content = messages[0]?.content;
      assert.equal(JSON.parse(content?.type === "text" ? content.text : ""), expected);
      for (const uri of ["sample://ask", "sample://ask/7"]) {
        const [read] = (await client.readResource({ uri })).contents;
        assert.equal(JSON.parse(read !== undefined && "text" in read ? read.text : ""), expected);
      }
    });

    test(`${era} ${where}: a client without the capability is not asked`, async () => {
      const client = await connect(await open(era), era, {});
      const outcome = await client.callTool({ name: "ask" }).catch((error: unknown) => error);
      if (era === "modern") {
        const { code, data } = outcome as { code: number; data: unknown };
        assert.equal(
          [code, data],
          [-32021, { requiredCapabilities: { elicitation: { form: {} } } }],
        );
      } else {
        assert.match(JSON.stringify(outcome), /"isError":true/);
        assert.match(JSON.stringify(outcome), /does not offer what \\"name\\" needs: elicitation/);
      }
    });
  }
}

for (const [where, open] of Object.entries(transports)) {
  test(`legacy ${where}: a call reports that it waits while its user thinks, and nothing once it is over`, async () => {
    const client = await connect(await open("legacy"), "legacy", everything);
    const reports: { progress: number; message?: string | undefined }[] = [];
    const waiting = (): number =>
      reports.filter(({ message }) => message === "Waiting for an answer").length;
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (params.mode === "url") return { action: "accept" };
      if (params.message.startsWith("Deploy")) return { action: "accept", content: { ok: true } };
      const start = waiting();
      while (waiting() < start + 2) await new Promise((resolve) => setTimeout(resolve, 2));
      return { action: "accept", content: { name: "Ada" } };
    });
    const restore = hurryTimers(heartbeatMs);
    try {
      const onprogress = (report: (typeof reports)[number]) => void reports.push(report);
      const called = await client.callTool({ name: "ask" }, { onprogress });
      const [block] = called.content;
      assert.equal(JSON.parse(block?.type === "text" ? block.text : ""), expected);
      assert.ok(waiting() >= 2);
      const all = reports.map(({ progress }) => progress);
      assert.equal(
        all,
        [...new Set(all)].sort((a, b) => a - b),
      );
      assert.equal([all[0], all.at(-1)], [1, 2]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.is(reports.length, all.length);
    } finally {
      restore();
    }
  });
}

test("over HTTP without sessions, an older client cannot be asked, and its call fails immediately", async () => {
  const server = makeServer();
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  const client = await connect(transport, "legacy", everything);
  const result = await client.callTool({ name: "ask" });
  assert.ok(result.isError);
  assert.match(JSON.stringify(result.content), /only within a session/);
  await client.getPrompt({ name: "ask" }).then(
    () => assert.unreachable(),
    (error: { code: number }) => assert.is(error.code, -32603),
  );
});

test("HTTP answers with status 400 if the client lacks a capability, and 200 with questions", async () => {
  const server = makeServer();
  const send = (request: Request) => sendRaw(request, (one) => server.fetch(one));
  const url = "http://localhost/mcp";
  const refused = await send(modernRequest(url, "tools/call", { name: "ask" }));
  assert.equal([refused.status, refused.message.error?.code], [400, -32021]);
  const request = modernRequest(url, "tools/call", { name: "ask" });
  const body = JSON.parse(await request.clone().text()) as {
    params: { _meta: Record<string, unknown>; requestState?: string };
  };
  body.params._meta["io.modelcontextprotocol/clientCapabilities"] = everything;
  const again = (): Request =>
    new Request(url, { ...requestInit(request), body: JSON.stringify(body) });
  const asked = await send(again());
  assert.is(asked.status, 200);
  const { resultType, inputRequests, requestState, ...rest } = asked.message.result ?? {};
  assert.is(resultType, "input_required");
  assert.is(Object.keys(inputRequests as object).length, 1);
  assert.not.ok("ttlMs" in rest);
  body.params.requestState = `${String(requestState)}x`;
  const tampered = await send(again());
  assert.is(tampered.message.error?.code, -32602);
});

function requestInit({ method, headers }: Request): RequestInit {
  return { method, headers };
}

test.run();
