import { connectTo, modernRequest, sendRaw } from "../suite/clients/http.js";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { LiveState, ServerControls } from "./live-state.js";
import { ServerEvents } from "./server-events.js";
import { serveConnection } from "../connections/connection.js";
import { createLog } from "../observe/log.js";
import type { Era } from "../context/context.js";
import { AnsweredError, Connection } from "../suite/clients/connection.js";
import { closeAll, connect } from "../suite/clients/harness.js";
import { changingParts } from "../samples/parts.js";
import { sampleEngine } from "../samples/engine.js";
import { erased, sampleServer, tool } from "../samples/server.js";

const test = suite("changes and who is told of them");
const open: { close(): Promise<void> }[] = [];
test.after(async () => {
  await Promise.all(open.map((one) => one.close()));
  await closeAll();
});

const changing: ServerDefinition = {
  ...sampleServer,
  ...changingParts,
  tools: [
    {
      ...tool(
        "steady",
        erased(() => "x"),
      ),
    },
    {
      ...tool(
        "extra",
        erased(() => "x"),
      ),
      enabled: false,
    },
    tool(
      "switch",
      erased((_input: object, ctx) => {
        const { tools, notify } = ctx as typeof ctx & ServerControls;
        tools.enable("extra");
        notify.resourceUpdated("sample://help");
        return "switched";
      }),
    ),
  ],
  resources: sampleServer.resources.map((entry) => ({ ...entry, subscribe: true })),
  prompts: sampleServer.prompts.map((entry) => ({ ...entry, enabled: true })),
  limits: { subscriptions: 2 },
};

function running(definition: ServerDefinition = changing): RunningServer {
  const server = createServer(definition, {
    root: process.cwd(),
    log: createLog({ write: () => undefined }),
  });
  open.push(server);
  return server;
}

async function connected(server: RunningServer, era: Era, holder?: string): Promise<Connection> {
  const connection = await Connection.open(
    (request) => server.factory({ ...request, ...(holder !== undefined && { holder }) }),
    era,
  );
  open.push(connection);
  return connection;
}

const methodsOf = (connection: Connection): string[] =>
  connection.notifications.map(({ method }) => method);

async function failure(request: Promise<unknown>): Promise<number> {
  return request.then(
    () => 0,
    (error: unknown) => (error instanceof AnsweredError ? error.code : NaN),
  );
}

test("an event for one principal reaches its clients alone", () => {
  const events = new ServerEvents();
  const notified: string[] = [];
  const listen = (name: string, principal?: string) =>
    events.subscribe(() => void notified.push(name), { principal, watched: () => [] });
  listen("ada", "ada");
  const stop = events.serve({ principal: "ada", watched: () => [] }, () =>
    events.subscribe(() => void notified.push("served for ada")),
  );
  listen("bob", "bob");
  listen("nobody");
  events.publish({ kind: "resource_updated", uri: "a://b" }, "ada");
  assert.equal(notified.splice(0), ["ada", "served for ada"]);
  stop();
  events.publish({ kind: "resource_updated", uri: "a://b" });
  assert.equal(notified, ["ada", "bob", "nobody"]);
});

test("a client is not told of a resource that is hidden from it", () => {
  const events = new ServerEvents();
  const notified: string[] = [];
  const uris = ["a://open", "a://hidden"];
  events.subscribe((event) => void notified.push("uri" in event ? event.uri : event.kind), {
    principal: "ada",
    watched: () => uris,
    isHidden: (uri) => uri === "a://hidden",
  });
  for (const uri of uris) events.publish({ kind: "resource_updated", uri });
  events.reportPossibleChanges();
  assert.equal(notified, ["a://open", "resources_list_changed", "a://open"]);
});

test("the capabilities declare only the notifications that the server can send", () => {
  const { capabilities } = sampleEngine();
  assert.is(capabilities.tools?.listChanged, false);
  assert.equal(capabilities.resources, { subscribe: false, listChanged: false });
  const changed = sampleEngine(changing).capabilities;
  assert.is(changed.tools?.listChanged, true);
  assert.is(changed.prompts?.listChanged, true);
  assert.equal(changed.resources, { subscribe: true, listChanged: false });
});

test("an item that is switched off is not listed, and does not exist", async () => {
  const server = running();
  const connection = await connected(server, "modern");
  const call = () => failure(connection.request("tools/call", { name: "extra", arguments: {} }));
  assert.is(await call(), -32602);
  server.controls.tools.enable("extra");
  assert.is(await call(), 0);
  server.controls.prompts.disable("summary");
  assert.is(await failure(connection.request("prompts/get", { name: "summary" })), -32602);
  const ref = { type: "ref/prompt", name: "summary" };
  const argument = { name: "topic", value: "" };
  assert.is(await failure(connection.request("completion/complete", { ref, argument })), -32602);
});

test("legacy: a client is notified of every changed list and of the resources to which it subscribed", async () => {
  const server = running();
  const connection = await connected(server, "legacy");
  const other = await connected(server, "legacy");
  await connection.request("resources/subscribe", { uri: "sample://help" });
  await connection.request("tools/call", { name: "switch", arguments: {} });
  server.controls.prompts.disable("summary");
  await connection.request("ping");
  await other.request("ping");
  assert.equal(methodsOf(connection), [
    "notifications/tools/list_changed",
    "notifications/resources/updated",
    "notifications/prompts/list_changed",
  ]);
  assert.equal(connection.notifications[1]?.params, { uri: "sample://help" });
  assert.equal(methodsOf(other), [
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
  ]);
  await connection.request("resources/unsubscribe", { uri: "sample://help" });
  server.controls.notify.resourceUpdated("sample://help");
  await connection.request("ping");
  assert.is(methodsOf(connection).length, 3);
});

test("legacy: a subscription to an unknown resource, or one too many, is refused", async () => {
  const server = running();
  const connection = await connected(server, "legacy");
  const subscribe = (uri: string, on = connection) =>
    failure(on.request("resources/subscribe", { uri }));
  assert.is(await subscribe("sample://nowhere"), -32602);
  assert.is(await subscribe("sample://cities/Berlin"), -32602, "the template has no subscribe");
  assert.is(await subscribe("sample://help"), 0);
  assert.is(await subscribe("sample://help"), 0, "twice is once");
  assert.is(await subscribe("sample://dot"), 0);
  assert.is(await subscribe("sample://now"), -32603);
  const other = await connected(server, "legacy");
  assert.is(await subscribe("sample://now", other), -32603, "the limit is the server's");
  await connection.close();
  assert.is(await subscribe("sample://now", other), 0, "an ended connection watches nothing");
});

test("modern: a client is notified of what it listens for, with the id of the subscription", async () => {
  const server = running();
  const connection = await connected(server, "modern");
  const wanted = { toolsListChanged: true, resourceSubscriptions: ["sample://help"] };
  const id = connection.start("subscriptions/listen", { notifications: wanted });
  await connection.request("tools/call", { name: "switch", arguments: {} });
  server.controls.prompts.disable("summary");
  server.controls.notify.resourceUpdated("sample://dot");
  await connection.request("tools/list");
  assert.equal(methodsOf(connection), [
    "notifications/subscriptions/acknowledged",
    "notifications/tools/list_changed",
    "notifications/resources/updated",
  ]);
  for (const { params } of connection.notifications) {
    assert.equal(params?._meta, { "io.modelcontextprotocol/subscriptionId": id });
  }
});

test("modern over HTTP: a stream gets the notifications that it listens for", async () => {
  const server = running();
  const notifications = { promptsListChanged: true };
  const request = modernRequest("http://localhost/mcp", "subscriptions/listen", { notifications });
  const { body } = await server.fetch(request);
  server.controls.prompts.disable("summary");
  server.controls.tools.enable("extra");
  await server.close();
  const text = await new Response(body).text();
  const methods = [...text.matchAll(/"method":"([^"]+)"/g)].map(([, method]) => method);
  assert.equal(methods, [
    "notifications/subscriptions/acknowledged",
    "notifications/prompts/list_changed",
  ]);
});

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: when anything may have changed, a client is notified of each resource that it watches`, async () => {
    const server = running();
    const [own, theirs] = InMemoryTransport.createLinkedPair();
    serveConnection(server, theirs, "custom");
    const client = await connect(own, era);
    const notified: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      notified.push(params.uri);
    });
    const watch = async (uri: string): Promise<() => Promise<unknown>> => {
      if (era === "modern") {
        const listening = await client.listen({ resourceSubscriptions: [uri] });
        return () => listening.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    };
    const stop = await watch("sample://dot");
    await watch("sample://help");
    await stop();
    (server.controls as LiveState).events.reportPossibleChanges();
    await client.listTools();
    assert.equal(notified, ["sample://help"]);
  });
}

test("modern over HTTP: when anything may have changed, a stream is notified of each resource that it watches", async () => {
  const server = running();
  const params = { notifications: { resourceSubscriptions: ["sample://help"] } };
  const request = modernRequest("http://localhost/mcp", "subscriptions/listen", params);
  const parsedBody = (await request.clone().json()) as object;
  const { body } = await server.fetch(request, { parsedBody });
  (server.controls as LiveState).events.reportPossibleChanges();
  await server.close();
  assert.match(await new Response(body).text(), /updated"[^]*sample:\/\/help/);
});

test("legacy over HTTP without sessions: no notifications are declared in the capabilities", async () => {
  const server = running();
  const client = await connectTo((request) => server.fetch(request), "legacy");
  const { resources, tools } = client.getServerCapabilities() ?? {};
  assert.equal([resources?.subscribe, tools?.listChanged], [false, false]);
  const refused = await client
    .subscribeResource({ uri: "sample://help" })
    .then(() => undefined, String);
  assert.match(String(refused), /subscri|not found/i);
});

test("legacy: at the limit, the client with the most subscriptions loses one to another client", async () => {
  const server = running({ ...changing, limits: { subscriptions: 3 } });
  const watch = (uri: string, connection: Connection) =>
    failure(connection.request("resources/subscribe", { uri }));
  const greedy = [await connected(server, "legacy", "a"), await connected(server, "legacy", "a")];
  assert.is(await watch("sample://help", greedy[0]!), 0);
  assert.is(await watch("sample://now", greedy[0]!), 0);
  assert.is(await watch("sample://help", greedy[1]!), 0);
  assert.is(await watch("sample://now", greedy[1]!), -32603, "its own connections are too many");
  const honest = await connected(server, "legacy", "b");
  assert.is(await watch("sample://help", honest), 0, "another watches nothing yet");
  assert.is(await watch("sample://now", honest), 0, "the largest connection has gone");
  assert.is(await watch("sample://now", greedy[1]!), -32603, "as much as the other has");
});

test("modern: too many subscriptions at a time are refused", async () => {
  const server = running();
  const listen = () => {
    const notifications = { promptsListChanged: true };
    return server.fetch(
      modernRequest("http://localhost/mcp", "subscriptions/listen", { notifications }),
    );
  };
  await listen();
  await listen();
  const { message } = await sendRaw(
    modernRequest("http://localhost/mcp", "subscriptions/listen", {
      notifications: { promptsListChanged: true },
    }),
    (request) => server.fetch(request),
  );
  assert.is(message.error?.code, -32603);
});

test.run();
