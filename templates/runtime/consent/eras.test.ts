import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { InMemoryTransport, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { consent } from "../consent.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { HttpDefinition } from "../http/definition.js";
import { listen } from "../http/listener.js";
import { httpEndpointWithSessions } from "../http/sessions.js";
import type { Nonces } from "./nonces.js";
import { createLog } from "../observe/log.js";
import { toolSearch } from "../search.js";
import { createServer, type RunningServer, type ServerOptions } from "../server/create-server.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import type { Era } from "../context/context.js";

/** Tools that need consent, served by the SDK to the official client in both eras. */

const ran: unknown[] = [];
const code = erased((input) => {
  ran.push(input);
  return "deleted";
});
const plain: ServerDefinition = {
  ...sampleServer,
  tools: [
    tool("delete", code, {
      confirm: ["Delete ", { argument: "path" }, "?"],
      aliases: ["remove"],
      open: true,
    }),
  ],
};
const asked: ServerDefinition = { ...plain, ...consent()(plain) };
const definition: ServerDefinition = { ...asked, ...toolSearch({ listed: [] })(asked) };

const opened: { close(): Promise<unknown> }[] = [];
test.after(async () => {
  await Promise.all(opened.reverse().map((one) => one.close()));
});

/** Who has used answers. */
const holders: string[] = [];
/** Each answer comes once here. */
const nonces: Nonces = {
  issuer: "test",
  redeem: (_nonce, _expires, holder) => (holders.push(holder) > 0 ? "redeemed" : "unknown"),
};

function makeServer(options: Partial<ServerOptions> = {}): RunningServer {
  const log = createLog({ write: () => undefined });
  return createServer(definition, { root: process.cwd(), log, ...options });
}

const ways: Record<string, (era: Era) => Promise<Transport>> = {
  "over stdio": async () => {
    const [own, theirs] = InMemoryTransport.createLinkedPair();
    opened.push(serveStdio(makeServer({ nonces }).factory, { transport: theirs }));
    return own;
  },
  "over HTTP": async () => {
    const server = makeServer({ nonces });
    const http = definition.transports.find(({ type }) => type === "http") as HttpDefinition;
    const endpoint = httpEndpointWithSessions(server, { ...http, sessions: "memory" });
    const listener = await listen(server, [endpoint]);
    opened.push(listener);
    return new StreamableHTTPClientTransport(new URL(listener.url));
  },
};

/** A client whose user gives these answers, one after the other. */
async function connect(
  transport: Transport,
  era: Era,
  answers: readonly unknown[],
): Promise<{ readonly client: Client; readonly questions: string[] }> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
  const capabilities = answers.length === 0 ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: "consenting", version: "1.0.0" },
    { capabilities, versionNegotiation: { mode } },
  );
  const questions: string[] = [];
  if (answers.length > 0) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return { action: answers[questions.length - 1] } as { action: "accept" };
    });
  }
  opened.push(client);
  await client.connect(transport);
  return { client, questions };
}

for (const era of ["modern", "legacy"] as const) {
  for (const [where, open] of Object.entries(ways)) {
    test(`${era} ${where}: the user is asked before each call, by whatever name it comes`, async () => {
      const answers = ["accept", "decline", "accept", "cancel", "accept"];
      const { client, questions } = await connect(await open(era), era, answers);
      ran.length = 0;
      const call = async (name: string, args: object): Promise<string> =>
        JSON.stringify((await client.callTool({ name, arguments: { ...args } })).content);
      const viaSearch = (path: string) =>
        call("call_tool", { name: "delete", arguments: { path } });
      assert.match(await call("delete", { path: "/1" }), "deleted");
      assert.match(await call("delete", { path: "/2" }), "declined");
      assert.match(await call("remove", { path: "/3" }), "deleted");
      assert.match(await viaSearch("/4"), "declined");
      assert.match(await viaSearch("/5"), "deleted");
      const paths = ["/1", "/2", "/3", "/4", "/5"];
      assert.equal(
        questions,
        paths.map((path) => `Delete "${path}"?`),
      );
      assert.equal(ran, [{ path: "/1" }, { path: "/3" }, { path: "/5" }]);
      // Callers without credentials share by their address.
      const address = where === "over HTTP" ? "127.0.0.1" : "";
      assert.equal(holders.splice(0), Array(5).fill(`address ${address}`));
    });

    test(`${era} ${where}: a client that cannot ask is refused in words`, async () => {
      const { client } = await connect(await open(era), era, []);
      ran.length = 0;
      for (const call of [
        { name: "delete", arguments: { path: "/" } },
        { name: "remove", arguments: { path: "/" } },
        { name: "call_tool", arguments: { name: "delete", arguments: { path: "/" } } },
      ]) {
        const outcome = await client.callTool(call).catch((error: unknown) => error);
        const text =
          outcome instanceof Error ? outcome.message : JSON.stringify(outcome).replaceAll("\\", "");
        assert.match(text, 'does not offer what "the user\'s consent" needs');
      }
      assert.equal(ran, []);
    });
  }
}

test("over HTTP without sessions, an older client cannot be asked, and nothing runs", async () => {
  const server = makeServer();
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  const { client } = await connect(transport, "legacy", ["accept"]);
  ran.length = 0;
  const result = await client.callTool({ name: "delete", arguments: { path: "/" } });
  assert.ok(result.isError);
  assert.match(JSON.stringify(result.content), "only within a session");
  assert.equal(ran, []);
});

test.run();
