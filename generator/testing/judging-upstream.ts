import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenAPIBackend, type Document } from "openapi-backend";

/** A request that an upstream got, as the document judges it. */
export interface JudgedRequest {
  /** `operationId`, or method and path where the document has none. */
  readonly operation: string;
  readonly problems: readonly string[];
  readonly authorization: string | undefined;
  readonly path: string;
  readonly body: string;
}

/** A local upstream that answers from a document, and judges each request by it with a library that is not ours. */
export class JudgingUpstream {
  readonly requests: JudgedRequest[] = [];
  readonly #backend: OpenAPIBackend;
  readonly #server: Server;

  /**
   * @param document OpenAPI 3, as the library reads it
   * @param apiRoot the path before those of the document
   */
  constructor(document: object, apiRoot: string) {
    this.#backend = new OpenAPIBackend({
      definition: document as Document,
      apiRoot,
      strict: false,
      quick: true,
    });
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(
        ({ status, body }) => {
          const isEmpty = status === 204 || body === undefined;
          response.writeHead(status, isEmpty ? {} : { "content-type": "application/json" });
          response.end(isEmpty ? undefined : JSON.stringify(body));
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  }

  /** @returns its URL, without a path */
  async start(): Promise<string> {
    await this.#backend.init();
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(message: IncomingMessage): Promise<{ status: number; body?: unknown }> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const { pathname, search } = new URL(message.url ?? "/", "http://upstream");
    const request = {
      method: message.method ?? "GET",
      path: pathname,
      query: search.slice(1),
      headers: message.headers as Record<string, string>,
      ...(body !== "" && { body }),
    };
    const operation = this.#backend.matchOperation(request);
    const id = operation?.operationId;
    const checked = operation && this.#backend.validateRequest(request, operation);
    const problems =
      operation === undefined ? ["no operation has this path"] : (checked?.errors ?? []);
    this.requests.push({
      operation: id ?? `${request.method} ${pathname}`,
      problems: problems.map((problem) =>
        typeof problem === "string" ? problem : JSON.stringify(problem),
      ),
      authorization: message.headers.authorization,
      path: message.url ?? "",
      body,
    });
    if (problems.length > 0) return { status: 400, body: problems };
    if (id === undefined) return { status: 200 };
    const { status, mock } = this.#backend.mockResponseForOperation(id);
    return { status, body: mock as unknown };
  }
}
