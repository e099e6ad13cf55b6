import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { resolve } from "node:path";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import type { LambdaEvent, LambdaHandlers } from "../../../../templates/runtime/lambda.js";

/**
 * Stands for AWS Lambda with a function URL, or an HTTP API of API Gateway, before the file of a server: a program, with the port, the
 * file and the name of the handler. Events and answers are those that the documents of AWS describe for the payload format 2.0.
 */

/** What begins a streamed answer ends with so many zero bytes, as its media type `vnd.awslambda.http-integration-response` says. */
const headEnd = Buffer.alloc(8);

/** The stream that the runtime of the platform passes to a handler, and what it does with it. */
class LambdaStream extends Writable {
  #head: object | undefined;
  #waiting = Buffer.alloc(0);
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    super({ highWaterMark: 16_384 });
    this.#response = response;
    response.once("close", () => this.destroy());
  }

  static from(stream: LambdaStream, head: object): LambdaStream {
    stream.#head = head;
    return stream;
  }

  override write(chunk: unknown, ...others: never[]): boolean {
    const head = this.#head;
    this.#head = undefined;
    if (head !== undefined) {
      super.write(JSON.stringify(head));
      super.write(headEnd);
    }
    return super.write(chunk, ...others);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#response.headersSent) return void this.#response.write(chunk, done);
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    const at = this.#waiting.indexOf(headEnd);
    if (at >= 0) {
      const head = JSON.parse(this.#waiting.subarray(0, at).toString()) as Head;
      this.#response.writeHead(head.statusCode, head.headers);
      this.#response.write(this.#waiting.subarray(at + headEnd.length));
      this.#response.flushHeaders();
    }
    done();
  }

  override _final(done: () => void): void {
    this.#response.end(done);
  }
}

interface Head {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
}

const platform = {
  streamifyResponse: <Handler>(handler: Handler): Handler => handler,
  HttpResponseStream: LambdaStream,
};

/** The event of a request. Bodies that are no text travel as base64. */
async function eventOf(request: IncomingMessage, stage: string): Promise<LambdaEvent> {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const { cookie, ...others } = request.headers;
  const headers = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, String(value)]),
  );
  const body = await buffer(request);
  const isText =
    /^(?:text\/|application\/json)/.test(headers["content-type"] ?? "") &&
    headers["content-encoding"] === undefined &&
    Buffer.from(body.toString()).equals(body);
  const prefix = stage === "$default" ? "" : `/${stage}`;
  return {
    ...{ version: "2.0", routeKey: "$default", rawPath: `${prefix}${pathname}` },
    rawQueryString: search.slice(1),
    ...(cookie !== undefined && { cookies: cookie.split("; ") }),
    headers: { ...headers, "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https" },
    requestContext: {
      ...{ accountId: "anonymous", apiId: "id", domainPrefix: "id", requestId: "id" },
      domainName: "id.lambda-url.eu-west-1.on.aws",
      stage,
      http: {
        ...{ path: pathname, protocol: "HTTP/1.1", userAgent: "agent" },
        method: request.method ?? "GET",
        sourceIp: "127.0.0.1",
      },
    },
    ...(body.length > 0 && { body: body.toString(isText ? "utf8" : "base64") }),
    isBase64Encoded: !isText,
  } as LambdaEvent;
}

async function serve(port: number, file: string, name: keyof LambdaHandlers): Promise<void> {
  Object.assign(globalThis, { awslambda: platform });
  const { handler, streamingHandler } = (await import(
    pathToFileURL(resolve(file)).href
  )) as LambdaHandlers;
  createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (name === "streamingHandler") {
        const context = { callbackWaitsForEmptyEventLoop: true };
        const event = await eventOf(request, "$default");
        return streamingHandler?.(event, new LambdaStream(response), context);
      }
      const { statusCode, headers, body, isBase64Encoded } = await handler(
        await eventOf(request, "prod"),
      );
      response
        .writeHead(statusCode, headers)
        .end(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"));
    };
    answer().catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  }).listen(port, "127.0.0.1");
}

const [port, file = "", name] = process.argv.slice(2);
await serve(Number(port), file, name as keyof LambdaHandlers);
