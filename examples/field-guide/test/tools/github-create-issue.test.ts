import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { githubCreateIssue } from "../../src/tools/github-create-issue.ts";

/** A stand-in for GitHub that remembers what it was asked. */
const asked: { path: string | undefined; token: string | undefined; body: unknown }[] = [];
const github = createServer((request, response) => {
  void readBody(request).then((body) => {
    asked.push({ path: request.url, token: request.headers.authorization, body });
    const isKnown = request.url === "/repos/acme/weather/issues";
    response.writeHead(isKnown ? 201 : 404, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ number: 7, html_url: "https://github.example/acme/weather/issues/7" }),
    );
  });
});
await new Promise<void>((listening) => github.listen(0, "127.0.0.1", listening));
test.after(() => void github.close());

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}

const { port } = github.address() as AddressInfo;
const upstreams = `http://127.0.0.1:${port}`;
const env = { GITHUB_API_URL: new URL("https://api.github.com"), GITHUB_TOKEN: "t0ken" };
const issue = { owner: "acme", repo: "weather", title: "Rain", body: "It rains", labels: ["bug"] };

test("opens an issue", async () => {
  const created = await githubCreateIssue(issue, createTestContext({ env, upstreams }));
  assert.equal(created, { number: 7, url: "https://github.example/acme/weather/issues/7" });
  const body = { title: "Rain", body: "It rains", labels: ["bug"] };
  assert.equal(asked.at(-1), {
    path: "/repos/acme/weather/issues",
    token: "Bearer t0ken",
    body,
  });
});

test("says that GitHub refused", async () => {
  const refused = await Promise.resolve(
    githubCreateIssue({ ...issue, repo: "none" }, createTestContext({ env, upstreams })),
  ).catch((error: unknown) => error);
  assert.match((refused as Error).message, "The upstream github answered 404 Not Found");
});

test("needs a token", async () => {
  const refused = await Promise.resolve(
    githubCreateIssue(issue, createTestContext({ env: { GITHUB_API_URL: env.GITHUB_API_URL } })),
  ).catch((error: unknown) => error);
  assert.match((refused as Error).message, "GITHUB_TOKEN is not set");
});

test.run();
