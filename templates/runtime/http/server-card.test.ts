import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { sampleServer } from "../samples/server.js";
import type { WholeAnswer } from "./page-answer.js";
import type { RequestHead } from "./request-head.js";
import { cardPage } from "./server-card.js";
import { cardPath } from "./server-card-path.js";

const card = {
  name: "com.example/weather",
  description: "Forecasts.",
  url: "https://weather.example.com/mcp",
};

function ask(
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
  definition = sampleServer,
): WholeAnswer {
  const request = { method, headers } as RequestHead;
  return cardPage(definition, card)(request) as WholeAnswer;
}

test("everyone gets the card, and pages of every origin may read it", () => {
  const { status, headers, body } = ask({ origin: "https://anywhere.example" });
  assert.is(status, 200);
  assert.is(headers["content-type"], "application/mcp-server-card+json");
  assert.is(headers["access-control-allow-origin"], "*");
  assert.is(headers["access-control-expose-headers"], "ETag");
  assert.match(headers["cache-control"] ?? "", "public");
  const { $schema, name, version, description, remotes, ...rest } = JSON.parse(String(body)) as {
    [key: string]: unknown;
  };
  assert.match(String($schema), "/schemas/v1/server-card.schema.json");
  assert.equal([name, version, description], [card.name, sampleServer.info.version, "Forecasts."]);
  assert.equal(rest, {});
  const [remote] = remotes as [{ type: string; url: string; supportedProtocolVersions: string[] }];
  assert.equal([remote.type, remote.url], ["streamable-http", card.url]);
  const older = remote.supportedProtocolVersions.filter((revision) => revision < "2026");
  assert.equal(
    older,
    [...SUPPORTED_PROTOCOL_VERSIONS].filter((revision) => revision < "2026"),
  );
});

test("a card names only the revisions that the server answers", () => {
  const modern = { ...sampleServer, protocol: { legacy: "reject" as const } };
  assert.match(String(ask({}, "GET", modern).body), '"supportedProtocolVersions":["2026-07-28"]');
});

test("a client that has the current card gets status 304, and no method changes the card", () => {
  const { etag = "" } = ask().headers;
  for (const known of [etag, `W/${etag}`, `"a", ${etag}`, "*"]) {
    assert.is(ask({ "if-none-match": known }).status, 304, known);
  }
  assert.is(ask({ "if-none-match": '"a"' }).status, 200);
  assert.is(ask({}, "POST").status, 405);
  const { status, headers } = ask({}, "OPTIONS");
  assert.is(status, 204);
  assert.is(headers["access-control-allow-headers"], "Content-Type, If-None-Match");
});

test("the card stands beside the endpoint", () => {
  assert.equal(["/mcp", "/"].map(cardPath), ["/mcp/server-card", "/server-card"]);
});

test.run();
