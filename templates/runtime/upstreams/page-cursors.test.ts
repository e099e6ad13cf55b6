import { randomBytes, randomInt } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";
import { PageCursors } from "./page-cursors.js";
import type { Pages } from "./pages.js";

const KEYS = ["k".repeat(32)];

/** Three pages with one item each, by cursor, number or link. */
function threePages(): Promise<TestServer> {
  return TestServer.open(({ url }, _request, response) => {
    const { pathname, searchParams } = new URL(url, "http://x");
    const at = Number(searchParams.get("at") ?? 1);
    if (pathname === "/link" && at < 3)
      response.setHeader("link", `</link?at=${at + 1}>; rel=next`);
    response.setHeader("x-total-count", "3");
    const next = at < 3 ? String(at + 1) : null;
    response.end(JSON.stringify({ items: at > 3 ? [] : [{ id: at }], next }));
  });
}

const WAYS: Readonly<Record<string, Partial<Pages>>> = {
  "/cursor": { cursor: { query: "at", from: "/next" } },
  "/page": { page: { query: "at", first: 1 } },
  "/link": { link: true },
};

interface PageResult {
  readonly items: readonly { readonly id: number }[];
  readonly nextCursor?: string;
}

test("a caller gets one page after the other by cursors, also from another process with the same key", async () => {
  const server = await threePages();
  for (const [path, way] of Object.entries(WAYS)) {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      // Each page is asked by an upstream of its own, as by another replica.
      const { upstream } = upstreamOf({ baseUrl: server.origin }, { keys: KEYS });
      const pages = { items: "/items", maxPages: 1, expose: { cursor }, ...way };
      const answer = await upstream.get(path, { pages, query: { q: "x" } });
      const result = answer.result<PageResult>({ headers: {} });
      seen.push(...result.items.map(({ id }) => id));
      assert.is(answer.nextCursor, result.nextCursor);
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    assert.equal(seen, [1, 2, 3], path);
  }
});

test("a call may fetch several pages before it has a cursor, and says nothing of pages that are cut", async () => {
  const server = await threePages();
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const pages = { items: "/items", link: true, maxPages: 2, expose: {} };
  const answer = await upstream.get("/link", { pages });
  assert.equal(answer.result<PageResult>().items, [{ id: 1 }, { id: 2 }]);
  assert.not.match(answer.text(), "cut after");
  const rest = await upstream.get("/link", {
    pages: { ...pages, expose: { cursor: answer.nextCursor } },
  });
  assert.equal(rest.result({ headers: { total: "X-Total-Count", etag: "ETag" } }), {
    items: [{ id: 3 }],
    total: "3",
  });
});

test("a cursor is refused for other arguments, other callers, other keys, and when it was changed", async () => {
  const server = await threePages();
  const pagesAt = (cursor?: string): Pages => ({
    items: "/items",
    link: true,
    maxPages: 1,
    expose: { cursor },
  });
  const given = { keys: KEYS, principal: "ada" };
  const { upstream } = upstreamOf({ baseUrl: server.origin }, given);
  const { nextCursor = "" } = await upstream.get("/link", { pages: pagesAt(), query: { q: "x" } });
  const asked = server.requests.length;
  const refused = async (
    message: string,
    options: object,
    { path = "/link", q = "x", cursor = nextCursor, more = {} } = {},
  ): Promise<void> => {
    const other = upstreamOf({ baseUrl: server.origin }, { ...given, ...options }).upstream;
    const error = await errorOf(other.get(path, { pages: pagesAt(cursor), query: { q }, ...more }));
    assert.match(error.message, `The cursor ${message}`);
    assert.match(error.message, "leave it out to begin again");
  };
  await refused("belongs to a call with other arguments", {}, { q: "y" });
  await refused("belongs to a call with other arguments", {}, { path: "/cursor" });
  await refused("belongs to a call with other arguments", {}, { more: { headers: { a: "b" } } });
  await refused("belongs to a call with other arguments", { principal: "eve" });
  await refused("belongs to a call with other arguments", { principal: undefined });
  await refused("is none of this tool", { keys: ["l".repeat(32)] });
  for (let count = 0; count < 300; count++) {
    await refused("is none of this tool", {}, { cursor: changed(nextCursor) });
  }
  for (const cursor of [
    "1.",
    "{}",
    "http://evil.example/",
    `1.${randomBytes(64).toString("base64url")}`,
  ]) {
    await refused("is none of this tool", {}, { cursor });
  }
  assert.is(server.requests.length, asked, "no refused cursor has reached the service");
  const rotated = upstreamOf(
    { baseUrl: server.origin },
    { ...given, keys: ["new".repeat(12), ...KEYS] },
  );
  const next = await rotated.upstream.get("/link", {
    pages: pagesAt(nextCursor),
    query: { q: "x" },
  });
  assert.equal(next.result<PageResult>().items, [{ id: 2 }]);
});

/** The cursor with one character more, less or different. */
function changed(cursor: string): string {
  const at = randomInt(cursor.length);
  const kinds = [
    cursor.slice(0, at),
    cursor.slice(0, at) + cursor.slice(at + 1),
    cursor.slice(0, at) + "x" + cursor.slice(at),
    cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1),
  ];
  return kinds[randomInt(kinds.length)] || "x";
}

test("a cursor expires after a day", () => {
  let now = 0;
  const cursors = new PageCursors(KEYS, "request", () => now);
  const cursor = cursors.seal({ reference: "/secret" });
  assert.not.match(Buffer.from(cursor.slice(2), "base64url").toString("latin1"), "secret");
  now = 24 * 60 * 60 * 1_000;
  assert.equal(cursors.open(cursor), { reference: "/secret" });
  now++;
  assert.throws(() => cursors.open(cursor), /The cursor has expired/);
});

test("headers are in the result beside the answer, without secrets; of an empty answer, they are all", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    response.writeHead(url === "/empty" ? 204 : 200, { etag: '"s3cret-1"', location: "/7" });
    response.end(url === "/empty" ? undefined : '{"id":12345678901234567890,"more":1}');
  });
  const env = { TOKEN: "s3cret" };
  const { upstream } = upstreamOf({ baseUrl: server.origin }, { env });
  const headers = { version: "ETag", place: "Location", count: "X-Count" };
  const beside = { version: '"[hidden]-1"', place: "/7" };
  const whole = await upstream.get("/x");
  const body = JSON.stringify(whole.result({ fields: ["more"], headers }));
  assert.equal(JSON.parse(body).body, { more: 1 });
  assert.is(JSON.parse(body).place, "/7");
  assert.not.match(body, "s3cret");
  const empty = await upstream.get("/empty");
  const found = empty.result<typeof beside>({ headers, strict: true });
  assert.equal(Object.keys(found), ["version", "place"]);
  assert.not.match(found.version, "s3cret");
});

test("a request may say itself how often it is sent again, also with a method that is not idempotent", async () => {
  let count = 0;
  const server = await TestServer.open((_seen, _request, response) => {
    response.writeHead(++count % 3 === 0 ? 200 : 503, { "retry-after": "0" }).end("{}");
  });
  const retries = { max: 1, on: [503], methods: ["GET"] };
  const { upstream } = upstreamOf({ baseUrl: server.origin, retries });
  assert.is((await upstream.get("/x")).status, 503);
  count = 0;
  assert.is((await upstream.get("/x", { retries: { max: 2, on: [503] } })).status, 200);
  assert.is((await upstream.post("/x", { retries: { max: 2, on: [503] } })).status, 200);
  assert.is((await upstream.get("/x", { retries: { max: 0, on: [503] } })).status, 503);
  assert.is(count, 7);
});

test.after(() => closeServers());

test.run();
