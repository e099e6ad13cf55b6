import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer as createMcpServer } from "../src/generated/index.ts";
import { createTestContext } from "./generated/testing.ts";
import { Connection } from "@mcpwright/runtime/testing";

/** The tools against a server on this machine that behaves as GitHub's documentation of its REST API says. */

const TOKEN = "ghp_aTokenOfTheseTests";

interface Issue {
  number: number;
  title: string;
  state: string;
  html_url: string;
  body: string | null;
  labels: { name: string }[];
  user: { login: string };
  comments: number;
  locked: boolean;
}

const page = "https://github.com/octocat/Hello-World/issues";
const issues: Issue[] = Array.from({ length: 120 }, (_, index) => ({
  number: index + 1,
  title: `Issue ${index + 1}`,
  state: index % 2 === 0 ? "open" : "closed",
  html_url: `${page}/${index + 1}`,
  body: null,
  labels: index % 10 === 0 ? [{ name: "bug" }] : [],
  user: { login: "octocat" },
  comments: 0,
  locked: index === 1,
}));
const comments = Array.from({ length: 150 }, (_, index) => ({
  id: index + 1,
  body: `Comment ${index + 1}`,
  created_at: "2026-01-02T03:04:05Z",
  user: { login: "hubot", type: "Bot" },
}));
const received: string[] = [];
let searches = 0;
let locks = 0;

const github = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => answer(request, response, text));
});
await new Promise<void>((resolve) => {
  github.listen(0, "127.0.0.1", resolve);
});
const origin = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;

function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
  const { method = "", url = "", headers } = request;
  received.push(`${method} ${url}`);
  const say = (status: number, body: unknown, more: Record<string, string> = {}): void => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...more });
    response.end(JSON.stringify(body));
  };
  if (headers["user-agent"] === undefined) return say(403, { message: "Request forbidden" });
  if (headers.authorization !== `Bearer ${TOKEN}`) return say(401, { message: "Bad credentials" });
  if (headers.accept !== "application/vnd.github+json") return say(415, { message: "Accept" });
  const { pathname, searchParams } = new URL(url, origin);
  const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
  if (pathname === "/search/issues") return search(searchParams, say);
  const [, repository = "", number, part] =
    /^\/repos\/octocat\/([^/]+)\/issues(?:\/(\d+)(?:\/(\w+))?)?$/.exec(pathname) ?? [];
  if (repository !== "Hello-World") return say(404, { message: "Not Found" });
  if (number === undefined) {
    return method === "POST" ? create(body, say) : say(200, listed(searchParams));
  }
  const issue = issues.find((one) => one.number === Number(number));
  if (number === "999") return say(410, { message: "This issue was deleted" });
  if (issue === undefined) return say(404, { message: "Not Found" });
  if (part === "comments" && method === "POST") {
    if (issue.locked) return say(403, { message: "Conversation is locked" });
    return say(201, { id: 1, created_at: "2026-01-02T03:04:05Z", user: {}, ...body });
  }
  if (part === "comments") return listComments(searchParams, pathname, say);
  if (part === "lock") {
    locks++;
    return locks === 1 ? say(500, {}) : void response.writeHead(204).end();
  }
  if (part === "labels") {
    for (const name of body["labels"] as string[]) issue.labels.push({ name });
    return say(200, issue.labels.map((label) => ({ id: 1, ...label, color: "f29513" })));
  }
  if (method === "PATCH") Object.assign(issue, body);
  say(200, { ...issue, id: 1, node_id: "x", user: { login: "octocat" } });
}

type Say = (status: number, body: unknown, headers?: Record<string, string>) => void;

function listed(query: URLSearchParams): Issue[] {
  const state = query.get("state");
  const labels = (query.get("labels") ?? "").split(",").filter(Boolean);
  const perPage = Number(query.get("per_page"));
  const start = (Number(query.get("page")) - 1) * perPage;
  return issues
    .filter((issue) => state === "all" || issue.state === state)
    .filter((issue) => labels.every((label) => issue.labels.some(({ name }) => name === label)))
    .slice(start, start + perPage);
}

function create(body: Record<string, unknown>, say: Say): void {
  if (body["title"] === "spam") {
    return say(422, { message: "Validation Failed", errors: [{ code: "custom" }] });
  }
  const location = "/repos/octocat/Hello-World/issues/121";
  say(201, { number: 121, state: "open", html_url: `${page}/121`, ...body }, { location });
}

function search(query: URLSearchParams, say: Say): void {
  searches++;
  if (searches === 1) return say(429, { message: "Slow down" }, { "retry-after": "0" });
  const words = query.get("q") ?? "";
  say(200, { total_count: 1, items: issues.filter(({ title }) => title === words) });
}

function listComments(query: URLSearchParams, pathname: string, say: Say): void {
  const number = Number(query.get("page") ?? 1);
  const next = `<${origin}${pathname}?per_page=100&page=${number + 1}>; rel="next"`;
  const isLast = number * 100 >= comments.length;
  const shown = comments.slice((number - 1) * 100, number * 100);
  say(200, shown, isLast ? {} : { link: `${next}, <${origin}${pathname}?page=2>; rel="last"` });
}

/** A server with this token. */
async function connected(token: string): Promise<Connection> {
  const { env } = createTestContext({ env: { GITHUB_TOKEN: token } });
  const server = await createMcpServer({ env, upstreams: { origin } });
  test.after(() => server.close());
  return Connection.open(server.factory, "modern");
}

const client = await connected(TOKEN);
const stranger = await connected("not-that-token");
test.after(async () => {
  await client.close();
  await stranger.close();
  github.closeAllConnections();
  github.close();
});

const repository = { owner: "octocat", repo: "Hello-World" };

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text: string }[];
}

async function call(name: string, input: object, from = client): Promise<Result> {
  const result = await from.request("tools/call", { name, arguments: { ...input } });
  return result as unknown as Result;
}

async function valueOf(name: string, input: object): Promise<unknown> {
  const { structuredContent, content } = await call(name, input);
  assert.is.not(structuredContent, undefined, content[0]?.text);
  return structuredContent;
}

async function errorOf(name: string, input: object, from = client): Promise<string | undefined> {
  const { isError, content } = await call(name, input, from);
  assert.is(isError, true);
  return content[0]?.text;
}

test("lists issues by state and labels, page by page", async () => {
  const open = (await valueOf("list_issues", repository)) as Issue[];
  assert.equal([open.length, open[0]?.number, open[1]?.number], [30, 1, 3]);
  const query = { ...repository, state: "all", labels: ["bug"], per_page: 5, page: 2 };
  const bugs = (await valueOf("list_issues", query)) as Issue[];
  assert.equal(bugs.map(({ number }) => number), [51, 61, 71, 81, 91]);
  assert.match(received.at(-1) ?? "", "state=all&labels=bug&per_page=5&page=2");
  const title = "Issue 51";
  const shown = { number: 51, title, state: "open", url: `${page}/51`, author: "octocat", comments: 0, labels: ["bug"] };
  assert.equal(bugs[0], shown);
});

test("searches, and waits where GitHub asks for it", async () => {
  const found = (await valueOf("search_issues", { q: "Issue 7" })) as { total: number; issues: Issue[] };
  assert.equal([found.total, found.issues[0]?.number, searches], [1, 7, 2]);
});

test("gets, creates and changes issues", async () => {
  const issue = (await valueOf("get_issue", { ...repository, number: 3 })) as Issue;
  assert.equal([issue.title, issue.body], ["Issue 3", null]);
  const made = await valueOf("create_issue", { ...repository, title: "New", labels: ["a"] });
  const { body, location } = made as { body: Issue; location: string };
  assert.equal([body.number, location], [121, "/repos/octocat/Hello-World/issues/121"]);
  const change = { ...repository, number: 3, state: "closed", state_reason: "not_planned" };
  assert.is(((await valueOf("update_issue", change)) as Issue).state, "closed");
  assert.equal(issues[2]?.title, "Issue 3");
});

interface Comments {
  readonly items: readonly { readonly id: number; readonly author: string }[];
  readonly nextCursor?: string;
}

test("locks an issue, also where GitHub fails once", async () => {
  const { content } = await call("lock_issue", { ...repository, number: 3 });
  assert.equal([content[0]?.text, locks], ["The issue 3 is locked.", 2]);
});

test("comments and labels", async () => {
  const issue = { ...repository, number: 3 };
  const first = (await valueOf("list_comments", issue)) as Comments;
  assert.equal([first.items.length, first.items[0]?.author], [100, "hubot"]);
  const cursor = first.nextCursor;
  const rest = (await valueOf("list_comments", { ...issue, cursor })) as Comments;
  assert.equal([rest.items.length, rest.items.at(-1)?.id, rest.nextCursor], [50, 150, undefined]);
  const elsewhere = await errorOf("list_comments", { ...repository, number: 4, cursor });
  assert.match(elsewhere ?? "", "The cursor belongs to a call with other arguments.");
  const added = await valueOf("add_comment", { ...repository, number: 3, body: "Hello" });
  assert.equal(added, { id: 1, body: "Hello", created_at: "2026-01-02T03:04:05Z" });
  const labels = await valueOf("add_labels", { ...repository, number: 3, labels: ["x", "y"] });
  assert.equal(labels, ["x", "y"]);
});

test("says what went wrong", async () => {
  const nothing = "There is no repository octocat/none, or the token may not see it.";
  assert.is(await errorOf("list_issues", { owner: "octocat", repo: "none" }), nothing);
  const unknown = "There is no issue 500 in octocat/Hello-World.";
  assert.is(await errorOf("get_issue", { ...repository, number: 500 }), unknown);
  assert.is(await errorOf("get_issue", { ...repository, number: 999 }), "The issue 999 was deleted.");
  const invalid = "The upstream github answered 422 Unprocessable Entity: Validation Failed";
  assert.is(await errorOf("create_issue", { ...repository, title: "spam" }), invalid);
  const locked = "The conversation is locked, or the token may not comment.";
  assert.is(await errorOf("add_comment", { ...repository, number: 2, body: "x" }), locked);
  const refused = "The upstream github answered 401 Unauthorized: Bad credentials";
  assert.is(await errorOf("search_issues", { q: "x" }, stranger), refused);
});

test("arguments stay in their place", async () => {
  const dots = await errorOf("list_issues", { owner: "octocat", repo: ".." });
  assert.is(dots, 'The value ".." leads to another path.');
  await call("search_issues", { q: "x&per_page=100#y" });
  assert.match(received.at(-1) ?? "", "q=x%26per_page%3D100%23y&per_page=30");
});

test.run();
