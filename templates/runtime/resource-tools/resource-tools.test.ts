import { test } from "uvu";
import * as assert from "uvu/assert";
import { AuditTrail } from "../audit/audit.js";
import { anybody } from "../authentication/public-methods.js";
import type { ServerDefinition } from "../engine/definition.js";
import { maskingOf } from "../backends/masking.js";
import { createLog } from "../observe/log.js";
import { resourceTools } from "../resource-tools.js";
import { askingParts, allCapabilities, sampleAsks, type AskingContext } from "../samples/asking.js";
import { caller, sampleEngine } from "../samples/engine.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { createAsking } from "../asking/asking.js";
import { toolSearch } from "../search.js";

/** Two tools that list and read resources, tried with each kind of resource. */

const code = erased(() => "made");
const handled = { handler: () => code };
const definition: ServerDefinition = {
  ...sampleServer,
  tools: [tool("plain", code)],
  resources: [
    { definition: { uri: "x://text", name: "text" }, text: "a text" },
    { definition: { uri: "x://image", name: "image", mimeType: "image/png" }, blob: "AAAA" },
    { definition: { uri: "x://sound", name: "sound", mimeType: "audio/wav" }, blob: "AAAA" },
    { definition: { uri: "x://bytes", name: "bytes" }, blob: "AAAA" },
    { definition: { uri: "x://code", name: "code" }, ...handled },
    {
      definition: { uri: "x://failing", name: "failing" },
      handler: () =>
        erased(() => {
          throw new Error("of the inside");
        }),
    },
    { definition: { uri: "x://off", name: "off" }, text: "off", enabled: false },
    {
      definition: { uri: "x://asking", name: "asking" },
      asks: sampleAsks,
      handler: () =>
        erased(async (_input: unknown, ctx) => (await (ctx as AskingContext).elicit.name()).name),
    },
  ],
  resourceTemplates: [
    {
      definition: { uriTemplate: "x://many/{id}", name: "many" },
      parts: [
        { kind: "literal", text: "x://many/" },
        { kind: "expression", operator: "", names: ["id"], explode: false },
      ],
      ...handled,
    },
  ],
};

type Sent = Parameters<ReturnType<typeof sampleEngine>["tools"]["call"]>[1];

function serverOf(changes: Partial<ServerDefinition> = {}, pageSize?: number) {
  const whole = { ...definition, ...askingParts, ...changes };
  const parts = { ...whole, ...resourceTools()(whole) };
  const engine = sampleEngine(parts, { runner: createAsking({}), pageSize });
  const call = async (name: string, values: object, sender?: Sent) =>
    engine.tools.call({ name, arguments: values }, sender);
  return {
    engine,
    call,
    read: (uri: unknown, sender?: Sent) => call("read_resource", { uri }, sender),
  };
}

test("the two tools are listed after all others", () => {
  const { engine } = serverOf();
  const names = engine.tools.list({}).tools.map(({ name }) => name);
  assert.equal(names, ["plain", "list_resources", "read_resource"]);
});

test("each kind of content is read", async () => {
  const { read } = serverOf();
  const blocks = async (uri: string) => (await read(uri)).content;
  assert.equal(await blocks("x://text"), [{ type: "text", text: "a text" }]);
  assert.equal(await blocks("x://code"), [{ type: "text", text: "made" }]);
  assert.equal(await blocks("x://many/7"), [{ type: "text", text: "made" }]);
  assert.equal(await blocks("x://image"), [{ type: "image", data: "AAAA", mimeType: "image/png" }]);
  assert.equal(await blocks("x://sound"), [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }]);
  const resource = { uri: "x://bytes", blob: "AAAA" };
  assert.equal(await blocks("x://bytes"), [{ type: "resource", resource }]);
});

test("the answer says in words why a resource cannot be read, without internal details", async () => {
  const { read } = serverOf();
  for (const uri of ["x://none", "x://off", "", "x".repeat(100_000), 7, null, {}]) {
    const result = await read(uri);
    assert.is(result.isError, true, JSON.stringify(uri));
  }
  const failing = await read("x://failing");
  assert.is(failing.isError, true);
  assert.not.match(JSON.stringify(failing), "of the inside");
});

test("the list has all pages, and the templates after the resources", async () => {
  const { call } = serverOf({}, 3);
  const names: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { structuredContent } = await call(
      "list_resources",
      cursor === undefined ? {} : { cursor },
    );
    const page = structuredContent as Readonly<
      Record<"resources" | "templates", readonly { readonly name: string }[]> & {
        nextCursor?: string;
      }
    >;
    names.push(...[...page.resources, ...(page.templates ?? [])].map(({ name }) => name));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== undefined);
  assert.equal(names, [
    ...["text", "image", "sound", "bytes", "code", "failing", "asking"],
    "many",
  ]);
  assert.is(pages, 3);
  for (const wrong of ["x", "templates:x", 7]) {
    assert.is((await call("list_resources", { cursor: wrong })).isError, true);
  }
});

test("a resource that is switched off is neither listed nor read until it is on", async () => {
  const { engine, call, read } = serverOf();
  const listed = async () => JSON.stringify((await call("list_resources", {})).structuredContent);
  assert.not.match(await listed(), "x://off");
  engine.live.resources.enable("off");
  assert.match(await listed(), "x://off");
  assert.equal((await read("x://off")).content, [{ type: "text", text: "off" }]);
});

test("a resource whose handler asks the user asks through the tool, too", async () => {
  const { read } = serverOf();
  const sender = { ...caller, clientCapabilities: () => allCapabilities };
  const asked: Readonly<Record<string, unknown>> = await read("x://asking", sender);
  assert.is(asked["resultType"], "input_required");
  const [key = ""] = Object.keys(asked["inputRequests"] as object);
  const { requestState } = asked;
  const inputResponses = { [key]: { action: "accept", content: { name: "Ada" } } };
  const answer = await read("x://asking", { ...sender, requestState, inputResponses });
  assert.equal(answer.content, [{ type: "text", text: "Ada" }]);
});

test("a caller who may call tools without credentials cannot read resources through them", async () => {
  const sender = { ...caller, authentication: anybody };
  const { read, call } = serverOf({ publicMethods: ["tools/call"] });
  assert.is((await read("x://text", sender)).isError, true);
  assert.is((await call("list_resources", {}, sender)).isError, true);
  const lists = ["resources/list", "resources/templates/list"];
  const open = serverOf({ publicMethods: ["tools/call", "resources/read", ...lists] });
  assert.equal((await open.read("x://text", sender)).content, [{ type: "text", text: "a text" }]);
  assert.ok((await open.call("list_resources", {}, sender)).structuredContent !== undefined);
});

test("the two tools are listed beside tools that are searched, and no search runs them", async () => {
  const searched = { ...definition, ...toolSearch({ listed: [] })(definition) };
  const { engine, call, read } = serverOf(searched);
  const names = engine.tools.list({}).tools.map(({ name }) => name);
  assert.equal(names.slice(-2), ["list_resources", "read_resource"]);
  assert.equal((await read("x://text")).content, [{ type: "text", text: "a text" }]);
  const forwarded = await call("read_tool", {
    name: "read_resource",
    arguments: { uri: "x://text" },
  });
  assert.not.match(JSON.stringify(forwarded), "a text");
});

test("the audit log names the resource that is read", async () => {
  const whole = { ...definition, audit: { arguments: "values", durable: false } as const };
  const parts = { ...whole, ...resourceTools()(whole) };
  const lines: string[] = [];
  const trail = {
    write: async (line: string) => void lines.push(line),
    synced: async () => undefined,
    close: async () => undefined,
  };
  const log = createLog({ write: () => undefined });
  const audit = new AuditTrail(parts, { trail, log, masking: maskingOf(parts, {}) });
  const { methods } = sampleEngine(parts);
  const audited = audit.wrapMethods(Object.fromEntries(methods))["tools/call"];
  const call = { name: "read_resource", arguments: { uri: "x://text" } };
  await audited?.answer(call, caller);
  const { item, method, outcome } = JSON.parse(lines[0] ?? "{}") as Record<string, unknown>;
  assert.equal([method, item, outcome], ["tools/call", "text", "ok"]);
});

test("a server whose resources are all off has no tools for them", () => {
  const { createResources: _none, ...rest } = definition;
  const parts = { ...rest, resources: [], resourceTemplates: [] };
  const { tools } = sampleEngine({ ...parts, ...resourceTools()(parts as ServerDefinition) });
  assert.equal(
    tools.list({}).tools.map(({ name }) => name),
    ["plain"],
  );
});

test.run();
