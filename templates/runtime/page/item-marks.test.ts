import { test } from "uvu";
import * as assert from "uvu/assert";
import { isHidden } from "../authentication/filtered-lists.js";
import type { Authentication } from "../authentication/authentication.js";
import { LiveState } from "../changes/live-state.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { HttpDefinition } from "../http/definition.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import { createLog } from "../observe/log.js";
import { restrict } from "../restrict.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { createServer } from "../server/create-server.js";
import { restricted } from "../start/restricted.js";
import { createPage } from "./page.js";
import { marksFor } from "./item-marks.js";

/** What the page shows of items beside the lists of the protocol, and to whom. */

const run = erased(() => "done");
const quiet = createLog({ write: () => undefined });
const deprecated = { since: "1.1.0", use: "read", until: "2.0.0" };

const base: ServerDefinition = {
  ...sampleServer,
  tools: [
    tool("read", run, { groups: ["files", "admin"] }),
    tool("burn", run, { groups: ["admin"], confirm: ["Burn?"], deprecated }),
    tool("guarded", run, { groups: ["files"], scopes: ["write"] }),
    tool("later", run, { groups: ["files"], enabled: false }),
    tool("plain", run),
  ],
  resources: [{ definition: { uri: "x://one", name: "one" }, text: "1", groups: ["files"] }],
  resourceTemplates: [],
  prompts: [{ definition: { name: "ask" }, messages: [], deprecated: {} }],
  isHidden,
};
const definition: ServerDefinition = {
  ...base,
  ...restrict({ groups: { scopePrefix: "g:" } })(base),
};

const burn = { groups: ["admin"], deprecated, confirm: true };

function caller(...scopes: readonly string[]): Authentication {
  return { principal: "ada", scopes };
}

test("groups, deprecation and consent are shown by kind and name, and nothing of items without any", () => {
  assert.equal(marksFor(definition), {
    tool: { read: { groups: ["files", "admin"] }, burn, guarded: { groups: ["files"] } },
    resource: { "x://one": { groups: ["files"] } },
    template: {},
    prompt: { ask: { deprecated: {} } },
  });
});

test("an item that is switched off has no marks until it is switched on", () => {
  const controls = new LiveState(definition);
  assert.is(marksFor(definition, { controls }).tool["later"], undefined);
  controls.tools.enable("later");
  assert.equal(marksFor(definition, { controls }).tool["later"], { groups: ["files"] });
});

test("a caller reads nothing of items that are hidden, nor names of groups that the scopes leave out", () => {
  assert.equal(marksFor(definition, { caller: caller("g:files") }).tool, {
    read: { groups: ["files"] },
  });
  assert.equal(marksFor(definition, { caller: caller("write", "g:admin") }).tool, {
    read: { groups: ["admin"] },
    burn,
  });
});

test("groups that the start leaves out are not named", () => {
  const asked = { groups: [{ setting: "--groups", text: "files" }], readOnly: [] };
  const stated = { ...definition, lateParts: [] };
  const { lateParts: _parts, ...part } = restricted(stated, asked, quiet);
  const served = marksFor(part as ServerDefinition);
  assert.equal(served.tool, { read: { groups: ["files"] }, guarded: { groups: ["files"] } });
  assert.equal(served.prompt, {});
});

test("the server answers requests for marks as it answers those of their sender", async () => {
  const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
  const transport = { ...http, page: { public: false } };
  const page = { createPage, loadPage: async () => ({ policy: "", html: "page" }) };
  const authenticate = async (request: { headers: { authorization?: string } }) =>
    request.headers.authorization === "Bearer ada" ? caller("g:files") : undefined;
  const authentication = { authenticate } as never;
  const options = { root: process.cwd(), log: quiet, authentication };
  const server = createServer({ ...definition, ...page }, options);
  const running = await listen(server, [httpEndpoint(server, transport)]);
  const ask = (headers: Record<string, string>): Promise<Response> =>
    fetch(running.url, {
      headers: { accept: "application/vnd.mcpwright.item-marks+json", ...headers },
    });
  try {
    assert.is((await ask({})).status, 401);
    assert.is((await ask({ authorization: "Bearer eve" })).status, 401);
    assert.is((await ask({ authorization: "Bearer ada", origin: "https://evil" })).status, 403);
    const answer = await ask({ authorization: "Bearer ada" });
    assert.is(answer.headers.get("cache-control"), "no-store");
    const { tool: tools } = (await answer.json()) as ReturnType<typeof marksFor>;
    assert.equal(tools, { read: { groups: ["files"] } });
  } finally {
    await running.close();
  }
});

test.run();
