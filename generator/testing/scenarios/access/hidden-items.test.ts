import { suite } from "uvu";
import * as assert from "uvu/assert";
import { modernRequest, sendRaw } from "../../../../templates/runtime/suite/clients/http.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import type { Json } from "../attacks/mistyped-messages/messages.js";
import { httpRoad, sseRoad, webSocketRoad, type Road } from "../attacks/mistyped-messages/roads.js";
import { ServerProcess } from "../attacks/mistyped-messages/server-process.js";

/** What a caller without a scope learns of items that need it and that no list shows to the caller. */

const test = suite("hidden items");
const NETWORK = ["--http", "--sse", "--websocket", "--port", "0"];
const CUT = ["--groups", "public"];
const [plain, filtered, searched, grouped, groupedSearched, cut, cutSearched] = await Promise.all(
  [
    ...["plain", "filtered", "searched", "grouped", "groupedSearched"].map((kind) => [kind]),
    ...shortOrLong(["grouped"], ["grouped", "groupedSearched"]).map((kind) => [kind, ...CUT]),
  ].map(([kind = "", ...flags]) => ServerProcess.start(kind, [...NETWORK, ...flags])),
);
const servers = [plain, filtered, searched, grouped, groupedSearched, cut, cutSearched];
const roadsTo = (server: ServerProcess): readonly Road[] => [
  ...(["modern", "legacy"] as const).flatMap((era) => [
    httpRoad(server, era),
    webSocketRoad(server, era),
  ]),
  sseRoad(server),
];
/** In short, flags are tried on one road: what they leave out is left out for the whole process. */
const roadsToCut = (server: ServerProcess): readonly Road[] =>
  shortOrLong([httpRoad(server, "modern")], roadsTo(server));
const roads = {
  filtered: roadsTo(filtered!),
  searched: roadsTo(searched!),
  grouped: [...roadsTo(grouped!), ...roadsToCut(cut!)],
  groupedSearched: [...roadsTo(groupedSearched!), ...(cutSearched ? roadsToCut(cutSearched) : [])],
};

test.after(async () => {
  await Promise.all(Object.values(roads).flatMap((some) => some.map((road) => road.close())));
  await Promise.all(servers.map((server) => server?.stop()));
});

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const argument = { name: "id", value: "" };

type Requests = readonly (readonly [method: string, params: Json])[];

const TOOLS: Requests = [
  ["tools/call", { name: "secret", arguments: {} }],
  ["tools/call", { name: "secret", arguments: null }],
  ["tools/call", { name: "secret_alias" }],
  ["tools/call", { name: "secret_region", arguments: { region: "eu" } }],
  ["tools/call", { name: "secret_region", arguments: { region: 7 } }],
];
const OTHERS: Requests = [
  ["resources/read", { uri: "sample://secret" }],
  ["resources/read", { uri: "sample://secret/1" }],
  ["tools/call", { name: "read_resource", arguments: { uri: "sample://secret" } }],
  ["tools/call", { name: "read_resource", arguments: { uri: "sample://secret/1" } }],
  ["prompts/get", { name: "secret" }],
  ["prompts/get", { name: "secret", arguments: { a: 1 } }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "secret" }, argument }],
  ["completion/complete", { ref: { type: "ref/resource", uri: "sample://secret/{id}" }, argument }],
];
const OF_ERA: Readonly<Record<Road["era"], Requests>> = {
  modern: [
    ["subscriptions/listen", { notifications: { resourceSubscriptions: ["sample://secret"] } }],
  ],
  legacy: [
    ["resources/subscribe", { uri: "sample://secret" }],
    ["resources/unsubscribe", { uri: "sample://secret" }],
  ],
};
const GATEWAYS: Requests = ["call_tool", "read_tool"].flatMap((gateway) =>
  ["secret", "secret_alias", "secret_region"].map(
    (name) => ["tools/call", { name: gateway, arguments: { name, arguments: {} } }] as const,
  ),
);

const SEARCHES: Requests = ["secret", "The tool secret", "secret_region"].map(
  (query) => ["tools/call", { name: "search_tools", arguments: { query } }] as const,
);

/** The names of what is hidden, by the word that stands for them here. */
const HIDDEN = { "sample://secret/": "sample://vault/" };
/** Names of nothing. They are as long, so that answers differ in nothing else. */
const UNKNOWN = { "sample://secret/": "sample://vauls/", secret: "secres" };

function renamed(text: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce((all, [name, other]) => all.replaceAll(name, other), text);
}

/** Sends a request with some names in the place of those of the table. Returns the answer with the table's names. */
async function answerTo(
  road: Road,
  [method, params]: Requests[number],
  names: Readonly<Record<string, string>>,
): Promise<string> {
  const _meta = road.era === "modern" ? { _meta: META } : {};
  const message = { jsonrpc: "2.0", id: "asked", method, params: { ...params, ..._meta } };
  const text = renamed(JSON.stringify(message), names);
  const reply = await road.send({ text, value: JSON.parse(text) as Json }, isAnswer);
  const messages = reply.messages.filter(({ id }) => !String(id).startsWith("honest "));
  const back = Object.fromEntries(Object.entries(names).map(([name, other]) => [other, name]));
  return renamed(JSON.stringify({ ...reply, messages }), back);
}

function isAnswer({ id, method }: Json): boolean {
  return id === "asked" || method === "notifications/subscriptions/acknowledged";
}

async function assertIndistinguishable(road: Road, requests: Requests): Promise<void> {
  for (const request of requests) {
    const hidden = await answerTo(road, request, HIDDEN);
    assert.is(hidden, await answerTo(road, request, UNKNOWN), JSON.stringify(request));
    assert.not.match(hidden, "nsufficient");
  }
}

for (const road of roads.filtered) {
  test(`${road.name}: where lists are filtered, an item that the caller may not use does not exist`, async () => {
    await assertIndistinguishable(road, [...TOOLS, ...OTHERS, ...OF_ERA[road.era]]);
  });
}

for (const road of roads.searched) {
  test(`${road.name}: a tool that a search would not find for the caller does not exist`, async () => {
    await assertIndistinguishable(road, [...TOOLS, ...GATEWAYS]);
  });
}

for (const road of roads.grouped) {
  test(`${road.name}: an item of a group that is off, or that the caller does not get, does not exist`, async () => {
    await assertIndistinguishable(road, [...TOOLS, ...OTHERS, ...OF_ERA[road.era]]);
  });
}

for (const road of roads.groupedSearched) {
  test(`${road.name}: no search finds an item of a group that is off, or that the caller does not get`, async () => {
    await assertIndistinguishable(road, [...TOOLS, ...GATEWAYS, ...SEARCHES]);
  });
}

for (const road of [...roads.grouped, ...roads.groupedSearched]) {
  test(`${road.name}: no list names an item of a group that is off, or that the caller does not get`, async () => {
    for (const kind of ["tools", "resources", "resources/templates", "prompts"]) {
      const answer = await answerTo(road, [`${kind}/list`, {}], {});
      assert.not.match(answer, /secret|vault/);
      assert.not.match(answer, '"error"');
    }
    const call = { name: "list_resources", arguments: {} };
    const answer = await answerTo(road, ["tools/call", call], {});
    assert.match(answer, "sample://");
    assert.not.match(answer, /secret|vault|"isError":true/);
  });
}

test("the page of metrics names no item of a group that the caller does not get", async () => {
  const url = grouped!.url("http").href;
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  await sendRaw(modernRequest(url, "tools/call", { name: "secret" }, as("ada")));
  const page = async (token: string): Promise<string> =>
    (await sendRaw(new Request(new URL("/metrics", url), { headers: as(token) }))).text;
  assert.match(await page("ada"), 'name="secret"');
  assert.not.match(await page("bob"), "secret");
});

test("a caller whose scopes name no group gets all items that the server serves", async () => {
  const { text } = await sendRaw(
    modernRequest(
      grouped!.url("http").href,
      "tools/call",
      { name: "secret_alias", arguments: {} },
      { authorization: "Bearer ada" },
    ),
  );
  assert.match(text, '"told"');
});

test("an item that the operator left out is unknown to callers with every scope", async () => {
  for (const [server, token] of [
    [cut, "ada"],
    [cut, "admin"],
    [grouped, "unknown"],
  ] as const) {
    const call = { name: "secret", arguments: {} };
    const authorization = `Bearer ${token}`;
    const url = server!.url("http").href;
    const { text } = await sendRaw(modernRequest(url, "tools/call", call, { authorization }));
    assert.match(text, "not found", token);
  }
});

test("a caller with the scope uses what is hidden from others", async () => {
  for (const server of [filtered!, searched!]) {
    const call = { name: "secret_alias", arguments: {} };
    const url = server.url("http").href;
    const authorization = "Bearer ada";
    const { text } = await sendRaw(modernRequest(url, "tools/call", call, { authorization }));
    assert.match(text, '"told"');
  }
});

test("where lists show everything, a caller who lacks the scope of an item is told which", async () => {
  const url = plain!.url("http").href;
  const authorization = "Bearer bob";
  const call = modernRequest(url, "tools/call", { name: "secret" }, { authorization });
  const { status, headers } = await sendRaw(call);
  assert.is(status, 403);
  assert.match(headers.get("www-authenticate") ?? "", 'scope="admin"');
});

test("the page of metrics names to callers only the items that they may use", async () => {
  const url = plain!.url("http").href;
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  for (const name of ["secret", "greet"]) {
    await sendRaw(modernRequest(url, "tools/call", { name, arguments: { who: "A" } }, as("ada")));
  }
  const page = async (token: string): Promise<string> => {
    const request = new Request(new URL("/metrics", url), { headers: as(token) });
    return (await sendRaw(request)).text;
  };
  assert.match(await page("ada"), 'name="secret"');
  const shown = await page("bob");
  assert.not.match(shown, "secret");
  assert.match(shown, 'name="greet"');
  assert.match(shown, /_total\{method="tools\/call",name="other",outcome="\w+"\} 1\n/);
});

test("a tool reads a resource only for callers with its scopes", async () => {
  const url = plain!.url("http").href;
  for (const [token, uri, status] of [
    ["bob", "sample://secret", 403],
    ["bob", "sample://vault/1", 403],
    ["ada", "sample://secret", 200],
    ["ada", "sample://vault/1", 200],
  ] as const) {
    const call = { name: "read_resource", arguments: { uri } };
    const authorization = `Bearer ${token}`;
    const answer = await sendRaw(modernRequest(url, "tools/call", call, { authorization }));
    assert.is(answer.status, status, `${token} ${uri}`);
    if (status === 200) assert.match(answer.text, /"text":"(s|told)"/);
    else assert.match(answer.headers.get("www-authenticate") ?? "", 'scope="admin"');
  }
});

test.run();
