import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import { caller, refusal, sampleEngine, type SampleEngine } from "../samples/engine.js";
import { erased, tool } from "../samples/server.js";
import { createPagedList } from "../engine/paged-item-list.js";
import { createSearchedTools } from "../search/search.js";
import { createFilteredList } from "./filtered-lists.js";

const as = (principal: string, ...scopes: string[]): Caller => ({
  ...caller,
  authentication: { principal, scopes },
});

/** An engine with five tools on pages of two. The second and the fourth tool need a scope. */
function engineWith(parts: Partial<ServerDefinition>): SampleEngine {
  const tools = ["t0", "t1", "t2", "t3", "t4"].map((name, index) => ({
    ...tool(
      name,
      erased(() => name),
      index % 2 === 1 ? { scopes: ["write"] } : {},
    ),
    enabled: true,
  }));
  return sampleEngine({ tools, pageSize: 2, ...parts });
}

const filtered = (): SampleEngine => engineWith({ createPagedList: createFilteredList });

async function list(engine: SampleEngine, sender: Caller, cursor?: string) {
  const parameters = cursor === undefined ? {} : { cursor };
  const { tools, nextCursor } = (await engine.methods
    .get("tools/list")
    ?.answer(parameters, sender)) as { tools: { name: string }[]; nextCursor?: string };
  return { names: tools.map(({ name }) => name), nextCursor };
}

async function allPages(engine: SampleEngine, sender: Caller): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { names, nextCursor } = await list(engine, sender, cursor);
    pages.push(names);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

test("a list shows the items that its caller may use, and on stdio all items", async () => {
  const engine = filtered();
  const all = [["t0", "t1"], ["t2", "t3"], ["t4"]];
  assert.equal(await allPages(engine, as("ada", "write")), all);
  assert.equal(await allPages(engine, as("bob", "read")), [["t0", "t2"], ["t4"]]);
  assert.equal(await allPages(engine, caller), all);
  engine.live.tools.disable("t2");
  assert.equal(await allPages(engine, as("bob")), [["t0", "t4"]]);
});

test("a cursor is valid only for the caller that received it, and for the same view", async () => {
  for (const engine of [filtered(), engineWith({ createPagedList })]) {
    const { nextCursor } = await list(engine, as("ada", "write"));
    assert.type(nextCursor, "string");
    await refusal(-32602, () => list(engine, as("bob", "write"), nextCursor));
    await refusal(-32602, () => list(engine, caller, nextCursor));
    assert.equal((await list(engine, as("ada", "write"), nextCursor)).names, ["t2", "t3"]);
    const anonymousCursor = (await list(engine, caller)).nextCursor;
    await refusal(-32602, () => list(engine, as("ada", "write"), anonymousCursor));
  }
  const engine = filtered();
  const { nextCursor } = await list(engine, as("ada", "write"));
  await refusal(-32602, () => list(engine, as("ada"), nextCursor));
});

test("a cursor does not reveal items that its caller cannot see", async () => {
  const { nextCursor = "" } = await list(filtered(), as("bob"));
  assert.match(Buffer.from(nextCursor, "base64url").toString(), /^from 2 of /);
});

test("callers with the same scopes share a page, and lists stay correct beyond the cache's size", async () => {
  const scopes = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const tools = scopes.map((scope) =>
    tool(
      scope,
      erased(() => scope),
      { scopes: [scope] },
    ),
  );
  const engine = sampleEngine({ tools, createPagedList: createFilteredList });
  const page = (sender: Caller) => engine.methods.get("tools/list")?.answer({}, sender);
  assert.is(page(as("ada", "s1", "other")), page(as("bob", "s1")));
  for (const scope of scopes) {
    assert.equal((await list(engine, as("ada", scope))).names, [scope]);
  }
});

test("the tools listed in addition to search are those that the caller may use", async () => {
  const engine = engineWith({
    createPagedList: createFilteredList,
    createSearchedTools,
    exposure: { listed: ["t0", "t1"] },
    pageSize: 10,
  });
  const gateways = ["search_tools", "read_tool", "call_tool"];
  assert.equal((await list(engine, as("ada", "write"))).names, [...gateways, "t0", "t1"]);
  assert.equal((await list(engine, as("bob"))).names, [...gateways, "t0"]);
});

test.run();
