import { Writable } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { http } from "../http.js";
import { defineServer, defineTool, type HandlerContext } from "../index.js";
import { lambdaHandlers, type LambdaEvent } from "../lambda.js";
import { createLog } from "../observe/log.js";
import { redis } from "../redis.js";
import { LocalRedis } from "../samples/local-redis.js";

/** Events are those that the documents of AWS show, for function URLs and for HTTP APIs of API Gateway. */

type Context = HandlerContext<object, undefined>;
type Input = { readonly text: string };

function tool(name: string, handler: (input: Input, ctx: Context) => Promise<string> | string) {
  const accept = Object.assign(() => true, { errors: null });
  return defineTool<Input, string, Context>({
    definition: { name, inputSchema: { type: "object", properties: { text: { type: "string" } } } },
    validators: async () => ({ input: accept }),
    handler: async () => handler,
  });
}

const urlHost = "url-id.lambda-url.us-west-2.on.aws";
const apiHost = "api-id.execute-api.us-east-1.amazonaws.com";
let aborted = 0;
const settings = {
  info: { name: "functions", version: "1.0.0" },
  tools: [
    tool("echo", ({ text }) => text),
    tool("long", () => "x".repeat(3_000_000)),
    tool("slow", async (_input, { signal }) => {
      const gone = new Promise((resolve) => signal.addEventListener("abort", resolve));
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3_000))]);
      if (signal.aborted) aborted++;
      return "done";
    }),
  ],
  transports: [http({ allowedHosts: [urlHost, apiHost] })],
};

interface Head {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The stream of the platform: its first write sends the head, and nothing is sent without one. */
class Output extends Writable {
  head: Head | undefined;
  sent: Head | undefined;
  text = "";

  static from(output: Output, head: Head): Output {
    output.head = head;
    return output;
  }

  override write(chunk: unknown, ...others: never[]): boolean {
    this.sent = this.head;
    return super.write(chunk, ...others);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    setImmediate(done);
  }
}

Object.assign(globalThis, {
  awslambda: { streamifyResponse: (handler: unknown) => handler, HttpResponseStream: Output },
});
const whyNoRedis = await LocalRedis.whyWithout();
const lines: string[] = [];
const log = createLog({ level: "info", write: (line) => lines.push(line) });
const { handler, streamingHandler } = lambdaHandlers(defineServer(settings), {
  environment: {},
  log,
});

/** An event of a function URL. */
function event(body: object | undefined, more: Partial<LambdaEvent> = {}): LambdaEvent {
  return {
    ...{ version: "2.0", routeKey: "$default" },
    rawPath: "/mcp",
    rawQueryString: "",
    headers: {
      host: urlHost,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      "x-forwarded-for": "203.0.113.7",
      "x-amzn-trace-id": "Root=1-5e6722a7-cc56xmpl46db7ae02d4da47e",
      "x-forwarded-proto": "https",
    },
    requestContext: {
      ...{ accountId: "anonymous", apiId: "url-id", requestId: "id", domainPrefix: "url-id" },
      domainName: urlHost,
      stage: "$default",
      http: { method: "POST", sourceIp: "203.0.113.7" },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
    ...more,
  };
}

const get = (path: string, from = event(undefined)): LambdaEvent => ({
  ...from,
  rawPath: path,
  requestContext: { ...from.requestContext, http: { ...from.requestContext.http, method: "GET" } },
});

const call = (name: string, text = "hello") => ({
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: { name, arguments: { text } },
});

/** Registers a test that needs Redis. */
function withRedis(name: string, run: () => Promise<void>): void {
  if (whyNoRedis === undefined) return test(name, run);
  console.log(`skipped: ${name} (${whyNoRedis})`);
  test.skip(name);
}

/** The text that a call is answered with: in an event, or in JSON. */
function textIn(body: string): string {
  const json = /^data: (.*)$/m.exec(body)?.[1] ?? body;
  const { result } = JSON.parse(json) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? "";
}

async function stream(one: LambdaEvent): Promise<Output> {
  const output = new Output({ highWaterMark: 1_000 });
  const context = { callbackWaitsForEmptyEventLoop: true };
  await streamingHandler?.(one, output, context);
  assert.is(context.callbackWaitsForEmptyEventLoop, false);
  return output;
}

test("a call from a function URL is answered as a whole and as a stream", async () => {
  const { statusCode, headers, body, isBase64Encoded } = await handler(event(call("echo")));
  assert.is(statusCode, 200, body);
  assert.match(headers["content-type"] ?? "", "text/event-stream");
  assert.is(textIn(body), "hello");
  assert.is(isBase64Encoded, false);
  const streamed = await stream(event(call("echo")));
  assert.is(streamed.sent?.statusCode, 200);
  assert.is(textIn(streamed.text), "hello");
});

test("a body in base64 is read, and a body with a wrong one is refused", async () => {
  const encoded = Buffer.from(JSON.stringify(call("echo", "naïve"))).toString("base64");
  const { body } = await handler(event(undefined, { body: encoded, isBase64Encoded: true }));
  assert.is(textIn(body), "naïve");
  const plain = await handler(event(undefined, { body: encoded, isBase64Encoded: false }));
  assert.is(plain.statusCode, 400);
});

test("an HTTP API with a stage has the paths of the server", async () => {
  const own = event(call("echo"));
  const requestContext = {
    ...own.requestContext,
    domainName: apiHost,
    stage: "prod",
  };
  const headers = { ...own.headers, host: requestContext.domainName };
  const staged = { ...own, headers, requestContext, rawPath: "/prod/mcp", cookies: ["a=1", "b=2"] };
  const { statusCode, body } = await handler(staged);
  assert.is(statusCode, 200, body);
  const unstaged = await handler({ ...staged, rawPath: "/other/mcp" });
  assert.is(unstaged.statusCode, 404);
});

test("a notification is answered with a head alone, which is sent", async () => {
  const notification = event({ jsonrpc: "2.0", method: "notifications/initialized" });
  assert.is((await handler(notification)).statusCode, 202);
  const { sent, text } = await stream(notification);
  assert.is(sent?.statusCode, 202);
  assert.is(text, "");
});

test("a long answer arrives whole through a stream that is slow", async () => {
  const { text, writableFinished } = await stream(event(call("long")));
  assert.is(textIn(text).length, 3_000_000);
  assert.ok(writableFinished);
});

test("guards see the host that the client names, and pages are read", async () => {
  const foreign = { ...event(call("echo")).headers, host: "evil.example" };
  assert.is((await handler(event(call("echo"), { headers: foreign }))).statusCode, 403);
  assert.is((await handler(get("/healthz"))).statusCode, 200);
  assert.is((await handler(get("/mcp"))).statusCode, 405);
});

test("each address has its own rate", async () => {
  const limited = defineServer({ ...settings, limits: { ratePerSecond: 1 } });
  const { handler: handle } = lambdaHandlers(limited, { environment: {}, log });
  const own = event(call("echo")).requestContext;
  const statusFor = async (sourceIp: string): Promise<number> => {
    const requestContext = { ...own, http: { ...own.http, sourceIp } };
    return (await handle(event(call("echo"), { requestContext }))).statusCode;
  };
  const answers = await Promise.all(Array.from({ length: 10 }, () => statusFor("203.0.113.7")));
  assert.ok(answers.includes(429), answers.join());
  assert.is(await statusFor("203.0.113.8"), 200);
});

withRedis("instances share through Redis, and say so at start", async () => {
  const redisServer = await LocalRedis.start();
  const REDIS_URL = { name: "REDIS_URL", type: "string", secret: true, required: true } as const;
  const shared = {
    ...settings,
    env: [REDIS_URL],
    limits: { ratePerSecond: 20 },
    use: [redis({ redis: { env: "REDIS_URL" }, share: ["rates"] })],
  };
  const environment = { REDIS_URL: redisServer.url };
  const said: string[] = [];
  const instances = [0, 1].map(() =>
    lambdaHandlers(defineServer(shared), {
      environment,
      log: createLog({ write: (line) => said.push(line) }),
    }),
  );
  const statusesOf = async (at: number, count: number): Promise<number[]> => {
    const statuses: number[] = [];
    while (statuses.length < count) {
      statuses.push((await instances[at]?.handler(event(call("echo"))))?.statusCode ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return statuses;
  };
  // The second would accept these alone. A slow machine needs more rounds, since Redis counts by the second.
  let refused = false;
  for (let round = 0; round < 10 && !refused; round++) {
    await statusesOf(0, 20);
    refused = (await statusesOf(1, 10)).includes(429);
    if (!refused) await new Promise((resolve) => setTimeout(resolve, 1_100));
  }
  assert.ok(refused);
  assert.is(said.filter((line) => line.includes("is shared through Redis")).length, 2);
  await redisServer.stop();
});

test("an event that is no HTTP request is refused", async () => {
  const own = event(undefined).requestContext;
  const requestContext = { ...own, http: { ...own.http, method: "TRACE" } };
  assert.is((await handler(event(undefined, { requestContext }))).statusCode, 400);
  const headers = { "no name": "value" };
  assert.is((await handler(event(undefined, { headers }))).statusCode, 400);
});

test("a client that goes away ends its call", async () => {
  const output = new Output();
  const answered = streamingHandler?.(event(call("slow")), output, {
    callbackWaitsForEmptyEventLoop: true,
  });
  setTimeout(() => output.destroy(), 100);
  await answered;
  for (let turn = 0; turn < 50 && aborted === 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.is(aborted, 1);
});

test("the log says at start what is not shared", () => {
  const serving = lines.filter((line) => line.includes('"serving"'));
  assert.ok(serving.length > 0);
  assert.match(serving[0] ?? "", "hold within this process or isolate alone");
});

test.run();
