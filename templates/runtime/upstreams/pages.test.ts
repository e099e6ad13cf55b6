import { test } from "uvu";
import * as assert from "uvu/assert";
import { freeMemory } from "../samples/answer-memory.js";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";
import type { AnswerMemory } from "../context/answer-memory.js";
import type { ToolResult } from "../tools/result.js";
import { nextLink, type Pages } from "./pages.js";

test("pages: they are fetched by cursor, number or link", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    const { pathname, searchParams } = new URL(url, "http://x");
    const at = Number(searchParams.get("at") ?? searchParams.get("page") ?? 1);
    if (pathname === "/link" && at < 3) {
      response.setHeader("link", `</link?at=1>; rel="prev", </link?at=${at + 1}>; rel="last next"`);
    }
    const items = at > 3 ? [] : [{ id: at, more: true }];
    response.end(JSON.stringify({ data: { items }, next: at < 3 ? String(at + 1) : null }));
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const all = [{ id: 1 }, { id: 2 }, { id: 3 }];
  const from = { items: "/data/items", maxPages: 10 };
  const ways = {
    "/cursor": { ...from, cursor: { query: "at", from: "/next" } },
    "/page": { ...from, page: { query: "page", first: 1 } },
    "/link": { ...from, link: true },
  };
  for (const [path, pages] of Object.entries(ways)) {
    const answer = await upstream.get(path, { pages, query: { q: "x" } });
    assert.equal(answer.pick("", ["id"]), all, path);
    const two = await upstream.get(path, { pages: { ...pages, maxPages: 2 } });
    assert.equal(two.pick("", ["id"]), all.slice(0, 2), path);
  }
  assert.ok(
    server.requests
      .filter(({ url }) => url.startsWith("/cursor"))
      .slice(0, 3)
      .every(({ url }) => url.includes("q=x")),
  );
});

test("pages: a page with an error status is the answer, and a page without a list is an error", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    response.writeHead(url === "/e" ? 404 : 200, { link: "<http://evil.example/>; rel=next" });
    response.end(url === "/no" ? "{}" : '{"items":[1]}');
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const pages = { items: "/items", link: true, maxPages: 5 };
  assert.is((await upstream.get("/e", { pages })).status, 404);
  assert.match((await errorOf(upstream.get("/no", { pages }))).message, "has no list");
  assert.match((await errorOf(upstream.get("/x", { pages }))).message, "another origin");
});

test("pages: a page may have more items than a function call may have arguments", async () => {
  const server = await TestServer.open((_request, _answer, response) => {
    response.end(`[${"1,".repeat(300_000)}1]`);
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const answer = await upstream.get("/x", { pages: { items: "", link: true, maxPages: 5 } });
  assert.is((answer.json() as unknown[]).length, 300_001);
});

test("pages: memory is reserved for all that are kept, before the next one is requested", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    const at = Number(new URL(url, "http://x").searchParams.get("page"));
    response.end(at > 3 ? "[]" : `["${"x".repeat(996)}"]`);
  });
  const held: number[] = [];
  const memory: AnswerMemory = { ...freeMemory, foresee: (bytes) => void held.push(bytes) };
  const { upstream } = upstreamOf({ baseUrl: server.origin }, { memory });
  const pages = { items: "", page: { query: "page", first: 1 }, maxPages: 10 };
  await upstream.get("/x", { pages });
  assert.equal(held, [1_000, 2_000, 3_000]);
});

test("pages: no more are requested once they have as many bytes together as a result may have", async () => {
  const body = Buffer.from(`["${"x".repeat(8 * 1024 * 1024)}"]`);
  const server = await TestServer.open((_request, _answer, response) => void response.end(body));
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const pages = { items: "", page: { query: "page", first: 1 }, maxPages: 1_000 };
  const answer = await upstream.get("/x", { pages, maxBytes: 16 * 1024 * 1024 });
  assert.is(server.requests.length, 4);
  assert.ok(answer.text().endsWith("[cut after 4 pages]"));
});

test("links: the target of the relation next is found", () => {
  assert.is(nextLink('<a>; rel="next"'), "a");
  assert.is(nextLink("<a>; rel=prev, <b>; rel=next; title=x"), "b");
  assert.is(nextLink('<a>; rel="first last"'), undefined);
  assert.is(nextLink(""), undefined);
});

test("pages: a page whose next page is itself is the last one", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    const isFirst = !/[?&](?:at|page)=/.test(url);
    response.setHeader("link", "</link?at=2>; rel=next");
    response.end(JSON.stringify({ items: isFirst ? [1] : [2], next: { id: 7 } }));
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const from = { items: "/items", maxPages: 10 };
  const ways: Readonly<Record<string, Pages>> = {
    "/link": { ...from, link: true },
    "/cursor": { ...from, cursor: { query: "at", from: "/next/id" } },
  };
  for (const [path, pages] of Object.entries(ways)) {
    const answer = await upstream.get(path, { pages });
    assert.is(answer.content(), "[1,2]", path);
  }
});

test("pages: numbers keep their digits, in cursors too", async () => {
  const cursors = ["9007199254740993", "9007199254740995"];
  const server = await TestServer.open(({ url }, _request, response) => {
    const at = /at=(\d+)/.exec(url)?.[1] ?? cursors[0] ?? "";
    response.setHeader("content-type", "application/json");
    response.end(`{"items":[${at}],"next":${at === cursors[0] ? cursors[1] : null}}`);
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const pages = { items: "/items", cursor: { query: "at", from: "/next" }, maxPages: 5 };
  assert.is((await upstream.get("/x", { pages })).content(), `[${cursors.join()}]`);
});

test("pages: a notice in the text says that there are more, and resources stay JSON", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    const at = Number(/at=(\d)/.exec(url)?.[1] ?? 1);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ items: [{ id: at, b: 1 }], next: at < 3 ? at + 1 : null }));
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const pages = { items: "/items", cursor: { query: "at", from: "/next" } };
  const two = await upstream.get("/x", { pages: { ...pages, maxPages: 2 } });
  assert.is(two.content({ fields: ["id"] }), '[{"id":1},{"id":2}]\n[cut after 2 pages]');
  assert.is(two.content(), '[{"id":1,"b":1},{"id":2,"b":1}]\n[cut after 2 pages]');
  assert.is(String(Object.values(two.resource())[0]), '[{"id":1,"b":1},{"id":2,"b":1}]');
  assert.equal(two.pick("", ["id"]), [{ id: 1 }, { id: 2 }]);
  const { parts } = two.result({ fields: ["id"] }) as ToolResult;
  assert.equal(parts.structuredContent, [{ id: 1 }, { id: 2 }]);
  assert.equal(parts.content, [
    { type: "text", text: '[{"id":1},{"id":2}]' },
    { type: "text", text: "[cut after 2 pages]" },
  ]);
  const all = await upstream.get("/x", { pages: { ...pages, maxPages: 3 } });
  assert.equal(all.result({ fields: ["id"] }), [{ id: 1 }, { id: 2 }, { id: 3 }]);
  assert.is(all.content({ fields: ["id"] }), '[{"id":1},{"id":2},{"id":3}]');
});

test.after(() => closeServers());

test.run();
