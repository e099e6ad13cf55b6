import type { CallToolResult } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createScopes } from "../authentication/item-scopes.js";
import type { Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import { subjectOf } from "../observe/request-observer.js";
import {
  caller,
  protocolError,
  refusal,
  sampleEngine,
  type SampleEngine,
} from "../samples/engine.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import type { ToolEntry } from "../tools/definition.js";
import { gatewayTools } from "./gateway-tools.js";
import { createSearchedTools } from "./search.js";
import { stemsOf } from "./words.js";

/** Marks a tool as read-only. */
function reading(entry: ToolEntry): ToolEntry {
  return { ...entry, definition: { ...entry.definition, annotations: { readOnlyHint: true } } };
}

const tools: readonly ToolEntry[] = [
  ...sampleServer.tools.filter(({ definition }) => definition.name !== "forecast"),
  ...sampleServer.tools.filter(({ definition }) => definition.name === "forecast").map(reading),
  tool(
    "erase_disk",
    erased(() => "erased"),
    { scopes: ["disk"] },
  ),
  tool(
    "open_vault",
    erased(() => "opened"),
    { enabled: false },
  ),
];

function searched(changes: Partial<ServerDefinition> = {}): SampleEngine {
  const found = tools.map((entry) => {
    const { name, description = "" } = entry.definition;
    const [heading, text] = [name, description].map((words) => stemsOf(words).join(" "));
    return { ...entry, search: { heading: heading ?? "", text: text ?? "" } };
  });
  return sampleEngine({
    ...{ tools: found, exposure: { listed: ["greet"] }, createSearchedTools },
    ...changes,
  });
}

const engine = searched();

async function call(
  name: string,
  values: unknown,
  from: Caller = caller,
  using = engine,
): Promise<CallToolResult> {
  return await using.tools.call({ name, arguments: values }, from);
}

async function find(query: string, from?: Caller, using?: SampleEngine): Promise<string[]> {
  const { structuredContent } = await call("search_tools", { query }, from, using);
  return (structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;

test("with search, the list has the tools that search and call, and those of exposure.list", () => {
  const names = engine.tools.list({}).tools.map(({ name }) => name);
  assert.equal(names, ["search_tools", "read_tool", "call_tool", "greet"]);
});

test("a found tool says how to call it", async () => {
  const { structuredContent, content } = await call("search_tools", { query: "weather forecast" });
  const { definition } = tools.find((one) => one.definition.name === "forecast")!;
  const { name, description, inputSchema, annotations } = definition;
  assert.equal((structuredContent as { tools: unknown[] }).tools[0], {
    ...{ name, description, inputSchema, annotations },
    callWith: "read_tool",
  });
  assert.is((content[0] as { text: string }).text, JSON.stringify(structuredContent));
  assert.equal(await find("list_numbers"), ["list_numbers"], "the exact name");
  assert.equal(await find("weather_forecast"), ["forecast"], "an alias");
  assert.is((await find("the tool")).length, 5, "as many as are usual");
  assert.equal(await find("zebra"), []);
});

test("a call through the gateway works like a direct call, with defaults and aliases", async () => {
  const own = await call("forecast", { city: "Berlin" });
  for (const name of ["forecast", "weather_forecast"]) {
    assert.equal(await call("read_tool", { name, arguments: { city: "Berlin" } }), own);
  }
  assert.is(
    textOf(await call("call_tool", { name: "greet", arguments: { who: "Ada" } })),
    "Hello, Ada!",
  );
  const wrong = await call("call_tool", { name: "greet", arguments: {} });
  assert.equal(wrong, await call("greet", {}), "what breaks its schema");
});

test("a tool that writes cannot be called through the reading gateway, nor one that reads through the writing one", async () => {
  const changing = await call("read_tool", { name: "greet", arguments: { who: "Ada" } });
  assert.is(changing.isError, true);
  assert.is(textOf(changing), "Tool greet may change something: call it with call_tool");
  const read = await call("call_tool", { name: "forecast", arguments: { city: "Berlin" } });
  assert.is(textOf(read), "Tool forecast changes nothing: call it with read_tool");
});

test("a tool that is switched off is neither found nor called", async () => {
  const using = searched();
  assert.not((await find("open_vault", caller, using)).includes("open_vault"));
  const values = { name: "open_vault" };
  assert.match(textOf(await call("call_tool", values, caller, using)), "Tool open_vault not found");
  using.live.tools.enable("open_vault");
  assert.is((await find("open_vault", caller, using))[0], "open_vault");
  assert.is(textOf(await call("call_tool", values, caller, using)), "opened");
});

test("a tool whose scopes a caller lacks is neither found, nor described, nor called", async () => {
  const as = (...scopes: string[]): Caller => ({
    ...caller,
    authentication: { principal: "ada", scopes },
  });
  const values = { name: "erase_disk" };
  assert.not((await find("erase_disk", as("print"))).includes("erase_disk"));
  assert.not((await find("erase disk", as())).includes("erase_disk"));
  const refused = await call("call_tool", values, as("print"));
  assert.match(textOf(refused), "Tool erase_disk not found");
  const { code } = await protocolError(() => call("erase_disk", {}, as("print")));
  assert.is(code, -32602, "as for a name of nothing");
  assert.is((await find("erase_disk", as("disk")))[0], "erase_disk");
  assert.is(textOf(await call("call_tool", values, as("disk"))), "erased");
  const scopes = createScopes(engine.definition, engine.methods);
  const body = { method: "tools/call", params: { name: "call_tool", arguments: values } };
  assert.is(
    scopes.unmetBy(body, as().authentication),
    undefined,
    "no challenge says that it exists",
  );
});

test("logs and metrics name the called tool, not the gateway", () => {
  const subject = (name: string, input?: unknown) =>
    subjectOf(engine, "tools/call", { name, arguments: input });
  assert.is(subject("read_tool", { name: "weather_forecast" }), "forecast");
  assert.is(subject("call_tool", { name: "greet" }), "greet");
  assert.is(subject("call_tool", { name: "nobody" }), "call_tool");
  assert.is(subject("call_tool"), "call_tool");
  assert.is(subject("search_tools", { name: "greet" }), "search_tools");
  assert.is(subject("greet"), "greet");
  assert.is(subject("nobody"), undefined);
});

test("limits on arguments hold for the called tool", async () => {
  const using = searched({ limits: { depth: 2 } });
  const deep = { name: "echo", arguments: { a: { b: { c: 1 } } } };
  const own = await refusal(-32602, () => call("echo", deep.arguments, caller, using));
  assert.is(await refusal(-32602, () => call("call_tool", deep, caller, using)), own);
});

test("search results that are too long for an answer give the hint to lower the limit", async () => {
  const using = searched({ limits: { resultLength: 700 } });
  const search = (limit: number) =>
    call("search_tools", { query: "the tool", limit }, caller, using);
  assert.match(textOf(await search(5)), /too long for an answer: search with a lower limit/);
  assert.not((await search(1)).isError);
});

test("arguments that break the schemas of the three tools are reported to the model", async () => {
  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ["search_tools", {}, /query must be a text of 1 to 1000 characters/],
    ["search_tools", { query: " " }, /query must be a text/],
    ["search_tools", { query: "x".repeat(1_001) }, /query must be a text/],
    ["search_tools", { query: "x", limit: 21 }, /limit must be a whole number from 1 to 20/],
    ["search_tools", { query: "x", limit: 1.5 }, /limit must be/],
    ["search_tools", { query: "x", more: 1 }, /only query and limit/],
    ["call_tool", {}, /name must be a text/],
    ["call_tool", { name: "greet", who: "Ada" }, /those of the tool belong into arguments/],
    ["call_tool", { name: "greet", arguments: [] }, /arguments must be an object/],
    ["call_tool", { name: "call_tool" }, /Tool call_tool not found/],
    ["read_tool", { name: "__proto__" }, /Tool __proto__ not found/],
  ];
  for (const [name, values, says] of wrong) {
    const answer = await call(name, values);
    assert.is(answer.isError, true, JSON.stringify(values));
    assert.match(textOf(answer), says);
  }
  await refusal(-32602, () => call("search_tools", "x"));
});

test("the three tools have annotations for what they may do", () => {
  const hints = gatewayTools.map(({ annotations = {} }) => annotations.readOnlyHint);
  assert.equal(hints, [true, true, false]);
});

test.run();
