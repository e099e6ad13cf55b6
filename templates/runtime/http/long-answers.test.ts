import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { Socket, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LongTexts } from "../engine/long-texts.js";
import { sendAnswer } from "../fast-path/http-answer.js";
import { sendFetchResponse } from "./exchange.js";
import { keepAlive, momentMs } from "./slow-answers.js";

const TEXT = "ü".repeat(1_000_000);

type Chunk = string | Uint8Array | undefined;

/** A response that keeps what is written to it, and whose answer may have begun in a form. */
async function begunResponse(
  form?: "json" | "events",
): Promise<{ response: ServerResponse; chunks: Chunk[] }> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  if (form !== undefined) {
    keepAlive(response, form);
    await delay(momentMs * 2);
    assert.ok(response.headersSent);
  }
  const chunks: Chunk[] = [];
  const keep = (chunk?: unknown): ServerResponse => {
    if (typeof chunk !== "function") chunks.push(chunk as Chunk);
    return response;
  };
  response.write = keep as never;
  response.end = keep as never;
  return { response, chunks };
}

/** Checks the text of chunks, and that the long ones are bytes: Node would keep a string and three times its length. */
function expectBytes(chunks: readonly Chunk[], text: string): void {
  const parts = chunks.map((chunk) => Buffer.from((chunk ?? "") as string));
  assert.ok(Buffer.concat(parts).toString() === text);
  const longest = chunks.filter((chunk) => (chunk?.length ?? 0) > 100_000);
  assert.is(longest.length, 1);
  assert.instance(longest[0], Uint8Array);
}

test("a long answer is written as bytes, whether it has begun or not", async () => {
  for (const form of [undefined, "json"] as const) {
    const { response, chunks } = await begunResponse(form);
    sendAnswer(response, [], TEXT, "end");
    expectBytes(chunks, `${TEXT}end`);
  }
});

test("a long answer of the SDK is written as it came, whether it has begun or not", async () => {
  for (const form of [undefined, "json", "events"] as const) {
    const { response, chunks } = await begunResponse(form);
    const bytes = Buffer.from(TEXT);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    const answer = new Response(body, { headers: { "content-type": "application/json" } });
    await sendFetchResponse({ answer, longTexts: new LongTexts() }, response, {}, () => undefined);
    expectBytes(chunks, form === "events" ? `event: message\ndata: ${TEXT}\n\n` : TEXT);
    const isSame = (chunk: Chunk): boolean => (chunk as Uint8Array)?.buffer === bytes.buffer;
    assert.ok(chunks.some(isSame), "a copy");
  }
});

test("an answer in several parts arrives whole, whether it has begun or not", async () => {
  for (const hasBegun of [false, true]) {
    const server = createServer((_request, response) => {
      if (hasBegun) response.writeHead(200).flushHeaders();
      sendAnswer(response, [], [Buffer.from("some "), Buffer.from("parts ")], "end");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    assert.is(await (await fetch(`http://127.0.0.1:${port}`)).text(), "some parts end");
    server.closeAllConnections();
    server.close();
  }
});

test.run();
