import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLog } from "../observe/log.js";
import { erased, sampleServer } from "../samples/server.js";
import { createServer } from "../server/create-server.js";
import { modernRequest, sendRaw } from "../suite/clients/http.js";
import type { HttpDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listen } from "./listener.js";
import { httpEndpointWithSessions } from "./sessions.js";
import type { RunningHttp } from "./transport.js";

/** A text whose JSON has escapes, and with characters of several lengths. */
const TEXT = `"quoted" \n für 😀 `.repeat(100_000);

const [sleep] = sampleServer.tools.filter(({ definition }) => definition.name === "sleep");
const tool = {
  ...sleep!,
  definition: { ...sleep!.definition, name: "long" },
  handler: () =>
    erased(async (_input: unknown, ctx: { progress(done: number): Promise<void> }) => {
      await ctx.progress(1);
      return TEXT;
    }),
};
const definition = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const log = createLog({ write: () => undefined });
const server = createServer(
  { ...sampleServer, tools: [...sampleServer.tools, tool] },
  { root: process.cwd(), log },
);
const running: RunningHttp[] = [];

test.after(async () => {
  await Promise.all(running.map((http) => http.close()));
});

async function serve(sessions?: { readonly resumable: boolean }): Promise<string> {
  const endpoint =
    sessions === undefined
      ? httpEndpoint(server, definition)
      : httpEndpointWithSessions(server, { ...definition, sessions: "memory", ...sessions });
  const http = await listen(server, [endpoint]);
  running.push(http);
  return http.url;
}

const parameters = { name: "long", arguments: { ms: 1 } };
const json = { "content-type": "application/json" };
const both = { ...json, accept: "application/json, text/event-stream" };
const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1.0.0" },
};

const message = (id: number, method = "tools/call", params: object = parameters): object => ({
  ...{ jsonrpc: "2.0", id, method, params },
});

const post = (url: string, body: object, headers: Readonly<Record<string, string>>): Request =>
  new Request(url, { method: "POST", headers, body: JSON.stringify(body) });

async function sessionOf(url: string): Promise<string> {
  const { headers } = await sendRaw(post(url, message(1, "initialize", initialize), both));
  return headers.get("mcp-session-id") ?? "";
}

/** The texts of the results in an answer, which is JSON or events. */
function textsIn(body: string): readonly string[] {
  const jsons = body.startsWith("event:")
    ? [...body.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!)
    : [body];
  return jsons
    .flatMap((one) => JSON.parse(one) as object)
    .filter((one) => "result" in one)
    .map((one) => (one as { result: { content: { text: string }[] } }).result.content[0]!.text);
}

/** The length of the longest JSON text that is made during some work, in characters. */
async function longestJson(work: () => Promise<void>): Promise<number> {
  const { stringify } = JSON;
  let longest = 0;
  JSON.stringify = (...options: [never]) => {
    const text = stringify(...options) as string | undefined;
    longest = Math.max(longest, text?.length ?? 0);
    return text as never;
  };
  try {
    await work();
  } finally {
    JSON.stringify = stringify;
  }
  return longest;
}

/** Requests that the SDK answers, by what is special about them. */
const requests: Readonly<Record<string, (url: string) => Request | Promise<Request>>> = {
  "a page of another origin": (url) => {
    const request = modernRequest(url, "tools/call", parameters);
    request.headers.set("origin", "http://localhost");
    return request;
  },
  "a caller who wants progress": async (url) => {
    const request = modernRequest(url, "tools/call", parameters);
    const body = (await request.clone().json()) as { params: { _meta: object } };
    const params = { ...body.params, _meta: { ...body.params._meta, progressToken: 1 } };
    return new Request(request, { body: JSON.stringify({ ...body, params }) });
  },
  "a batch": (url) =>
    post(url, [message(1), message(2)], { ...both, "mcp-protocol-version": "2025-03-26" }),
  "a client without events": (url) =>
    post(url, message(1), { ...json, accept: "application/json" }),
};

for (const [name, make] of Object.entries(requests)) {
  test(`the SDK makes no JSON of a long text for ${name}, which gets it whole`, async () => {
    const url = await serve();
    const longest = await longestJson(async () => {
      const { status, text } = await sendRaw(await make(url));
      assert.is(status, 200, text.slice(0, 300));
      const texts = textsIn(text);
      assert.is(texts.length, name === "a batch" ? 2 : 1);
      assert.ok(texts.every((one) => one === TEXT));
    });
    assert.ok(longest < 200_000, `JSON of ${longest} characters`);
  });
}

test("a batch of many calls waits for the end of its connection once", async () => {
  const url = await serve();
  const warnings: string[] = [];
  const keep = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", keep);
  try {
    const batch = Array.from({ length: 20 }, (_none, index) => message(index, "ping", {}));
    const headers = { ...both, "mcp-protocol-version": "2025-03-26" };
    assert.is((await sendRaw(post(url, batch, headers))).status, 200);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("warning", keep);
  }
  assert.equal(warnings, []);
});

test("the SDK makes no JSON of a long text in a session, whose calls use the same id again", async () => {
  const url = await serve({ resumable: false });
  const headers = { ...both, "mcp-session-id": await sessionOf(url) };
  const longest = await longestJson(async () => {
    for (let count = 0; count < 2; count++) {
      const { text } = await sendRaw(post(url, message(2), headers));
      assert.ok(textsIn(text)[0] === TEXT);
    }
  });
  assert.ok(longest < 200_000, `JSON of ${longest} characters`);
});

test("a session whose streams are resumable replays a long answer whole", async () => {
  const url = await serve({ resumable: true });
  const headers = { ...both, "mcp-session-id": await sessionOf(url) };
  const withProgress = { ...parameters, _meta: { progressToken: 1 } };
  const { text } = await sendRaw(post(url, message(2, "tools/call", withProgress), headers));
  assert.ok(textsIn(text)[0] === TEXT);
  const first = /^id: (\S+)$/m.exec(text)?.[1] ?? "";
  const resume = new Request(url, { headers: { ...headers, "last-event-id": first } });
  const stream = (await fetch(resume)).body!.getReader();
  let again = "";
  const decoder = new TextDecoder();
  while (!again.includes('"id":2}\n')) {
    const { done, value } = await stream.read();
    if (done) break;
    again += decoder.decode(value, { stream: true });
  }
  await stream.cancel();
  assert.ok(textsIn(again)[0] === TEXT);
});

test.run();
