import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { HttpDefinition } from "../http/definition.js";
import { listen } from "../http/listener.js";
import { httpEndpointWithSessions } from "../http/sessions.js";
import { createLog } from "../observe/log.js";
import { freePort } from "../samples/free-port.js";
import { Provider, accountSettings, upstreamOf } from "../samples/linked-accounts.js";
import { closeServers } from "../samples/local-internet.js";
import { createServer } from "../server/create-server.js";
import { defineServer } from "../server/define-server.js";
import { loadParts } from "../server/late-parts.js";
import type { Era } from "../context/context.js";

/** The official client over HTTP and Node.js, whose user signs in with a browser, in both eras. */

const opened: { close(): Promise<unknown> }[] = [];
test.after(async () => {
  await Promise.all(opened.reverse().map((one) => one.close()));
  await closeServers();
});

async function serve(): Promise<string> {
  const provider = await Provider.open();
  const services = [upstreamOf("mail", provider)];
  const definition = await loadParts(defineServer(accountSettings(services)).definition);
  const log = createLog({ write: () => undefined });
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const server = createServer(definition, {
    root: process.cwd(),
    log,
    authentication: {
      authenticate: () => ({ principal: "idp|ada", scopes: [], via: "jwt" }),
      protectedResource: { resource, authorizationServers: ["https://idp.example"] },
    },
  });
  const http = definition.transports.find(({ type }) => type === "http") as HttpDefinition;
  const endpoint = httpEndpointWithSessions(server, { ...http, port, sessions: "memory" });
  const listener = await listen(server, [endpoint]);
  opened.push(listener, server);
  return listener.url;
}

/** Signs in at a link as a browser does. @returns the code that the page shows */
async function signIn(link: string): Promise<string> {
  const redirect = await fetch(link, { redirect: "manual" });
  const cookie = redirect.headers.get("set-cookie")?.split(";")[0] ?? "";
  const headers = { "x-user": "ada@mail" };
  const back = await fetch(redirect.headers.get("location") ?? "", { redirect: "manual", headers });
  const page = await fetch(back.headers.get("location") ?? "", { headers: { cookie } });
  return /<code>([^<]*)<\/code>/.exec(await page.text())?.[1] ?? "";
}

async function connect(
  url: string,
  era: Era,
  capabilities: object,
): Promise<{ client: Client; asked: string[] }> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const);
  const client = new Client(
    { name: "linking", version: "1.0.0" },
    { capabilities, versionNegotiation: { mode } },
  );
  const asked: string[] = [];
  let code = "";
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message);
    if ("url" in params) {
      code = await signIn(params.url);
      return { action: "accept" };
    }
    return { action: "accept", content: { code } };
  });
  opened.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return { client, asked };
}

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: the user signs in, enters the code, and the call is answered`, async () => {
    const capabilities = { elicitation: { form: {}, url: {} } };
    const { client, asked } = await connect(await serve(), era, capabilities);
    const { tools } = await client.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      ["mail", "connect", "disconnect"],
    );
    const call = async (name: string, input: object = {}): Promise<string> =>
      JSON.stringify((await client.callTool({ name, arguments: { ...input } })).content);
    assert.match(await call("mail"), "200 ada@mail");
    assert.match(await call("mail"), "200 ada@mail");
    assert.is(asked.length, 2);
    assert.match(await call("disconnect", { upstream: "mail" }), "is forgotten");
    assert.match(await call("connect", { upstream: "mail" }), "is connected");
    assert.is(asked.length, 4);
  });

  test(`${era}: a client that only fills forms in gets the link in words`, async () => {
    const { client, asked } = await connect(await serve(), era, { elicitation: { form: {} } });
    const { isError, content } = await client.callTool({ name: "mail", arguments: {} });
    assert.is(isError, true);
    const [link = ""] =
      /http:\S+\/mcp\/connect\/mail\?state=[\w.-]+/.exec(JSON.stringify(content)) ?? [];
    const code = await signIn(link);
    const input = { upstream: "mail", code };
    await client.callTool({ name: "connect", arguments: input });
    const answer = await client.callTool({ name: "mail", arguments: {} });
    assert.match(JSON.stringify(answer.content), "200 ada@mail");
    assert.equal(asked, []);
  });
}

test.run();
