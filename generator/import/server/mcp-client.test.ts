import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LISTING_LIMITS, type ListingResult } from "./listed-server.js";
import { listServer } from "./mcp-client.js";

const hostile = fileURLToPath(
  new URL("../../testing/harness/services/hostile-mcp-server.js", import.meta.url),
);

const limits = {
  ...LISTING_LIMITS,
  probeMs: 60_000,
  pages: 50,
  items: 1_000,
  answerBytes: 1_000_000,
};
const patience = { ...limits, probeMs: 300, requestMs: 500, totalMs: 3_000 };

function fromProgram(kind: string, within = limits): Promise<ListingResult> {
  const command = [process.execPath, hostile, kind];
  return listServer({ kind: "command", command, folder: process.cwd() }, within);
}

function reasonOf(answer: ListingResult): string {
  return "reason" in answer ? answer.reason : `it was listed: ${JSON.stringify(answer.listed)}`;
}

const HOSTILE: readonly (readonly [kind: string, reason: RegExp, within?: typeof limits])[] = [
  ["endless pages", /more than 50 pages/],
  ["endless items", /more than 1000 items/],
  ["cyclic cursors", /pages that lead in a circle/],
  ["huge answer", /an answer of more than 1000000 bytes/],
  ["no answer", /timed out|has not listed/i, patience],
  ["no list", /with no list of tools/],
  ["no result", /cannot be listed|timed out|has not listed/i, patience],
  ["a cursor that is a number", /a cursor that is no text/],
  ["dies", /its last words were: no licence/],
  ["floods", /an answer of more than 1000000 bytes/],
  ["says nothing at all", /timed out|has not listed/i, patience],
];

test("a program that lists wrongly, endlessly or not at all gives a reason", async () => {
  const answers = await Promise.all(HOSTILE.map(([kind, , within]) => fromProgram(kind, within)));
  HOSTILE.forEach(([kind, reason], index) => {
    assert.match(reasonOf(answers[index] ?? { reason: "" }), reason, kind);
  });
});

test("a program that cannot be started gives the reason", async () => {
  const command = ["/no/such/program"];
  const answer = await listServer({ kind: "command", command, folder: process.cwd() }, limits);
  assert.match(reasonOf(answer), /ENOENT/);
});

/** Lists a server over HTTP that answers all requests in the same way. */
async function fromAddress(listener: RequestListener, within = limits): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  try {
    const url = `http://127.0.0.1:${port}/mcp`;
    return reasonOf(await listServer({ kind: "url", url, headers: { "x-a": "b" } }, within));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("an address that does not answer as a server gives a reason", async () => {
  const large = await fromAddress((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" ".repeat(500_000)), 1);
    response.on("close", () => clearInterval(timer));
  });
  assert.match(large, /an answer of more than 1000000 bytes/);
  const elsewhere = await fromAddress((_, response) => {
    response.writeHead(307, { location: "http://169.254.169.254/" }).end();
  });
  assert.match(elsewhere, /sends to http:\/\/169\.254\.169\.254\/, and redirects are not followed/);
  const silent = await fromAddress(() => undefined, patience);
  assert.match(silent, /timed out|has not listed/i);
  const streaming = await fromAddress((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": nothing\n\n");
  }, patience);
  assert.match(streaming, /timed out|has not listed/i);
  assert.match(
    await fromAddress((_, response) => void response.writeHead(401).end()),
    /401|nauthorized/,
  );
  const page = await fromAddress((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
  });
  assert.match(page, /text\/html/);
});

test.run();
