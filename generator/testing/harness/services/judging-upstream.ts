import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { OpenAPIBackend, Request } from "openapi-backend";
import { requestJudge } from "./request-judge.js";

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
  readonly #document: object;
  readonly #apiRoot: string;
  #server: Server | undefined;

  /**
   * @param document OpenAPI 3, as the library reads it
   * @param apiRoot the path before those of the document
   */
  constructor(document: object, apiRoot: string) {
    this.#document = document;
    this.#apiRoot = apiRoot;
  }

  /** @returns its URL, without a path */
  async start(): Promise<string> {
    const judge = await requestJudge(this.#document, this.#apiRoot);
    const server = createServer((request, response) => {
      void this.#answer(request, judge).then(({ status, body }) => {
        const isEmpty = status === 204 || body === undefined;
        response.writeHead(status, isEmpty ? {} : { "content-type": "application/json" });
        response.end(isEmpty ? undefined : JSON.stringify(body));
      });
    });
    this.#server = server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #answer(
    message: IncomingMessage,
    judge: OpenAPIBackend,
  ): Promise<{ status: number; body?: unknown }> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const { pathname, search } = new URL(message.url ?? "/", "http://upstream");
    const request = {
      method: message.method ?? "GET",
      path: pathname,
      query: search.slice(1),
      headers: message.headers as Record<string, string>,
      ...(body !== "" && { body: isForm(message) ? await fieldsOf(message, body) : body }),
    };
    const { operation, problems, answers } = judged(judge, request);
    this.requests.push({
      operation: operation ?? `${request.method} ${pathname}`,
      problems,
      authorization: message.headers.authorization,
      path: message.url ?? "",
      body,
    });
    return problems.length > 0 ? { status: 400, body: problems } : answerOf(answers);
  }
}

interface Judgement {
  readonly operation?: string | undefined;
  readonly problems: readonly string[];
  readonly answers?: Answers | undefined;
}

function judged(judge: OpenAPIBackend, request: Request): Judgement {
  try {
    const operation = judge.matchOperation(request);
    if (operation === undefined) return { problems: ["no operation has this path"] };
    const problems = judge.validateRequest(request, operation).errors ?? [];
    return {
      operation: operation.operationId,
      problems: problems.map((problem) =>
        typeof problem === "string" ? problem : JSON.stringify(problem),
      ),
      answers: operation.responses as Answers | undefined,
    };
  } catch (error) {
    return { problems: [`the judge cannot judge it: ${String(error)}`] };
  }
}

type Answers = Readonly<
  Record<string, { content?: { "application/json"?: { example?: unknown } } } | undefined>
>;

/** The first answer that the document describes, with its example. */
function answerOf(answers: Answers = {}): { status: number; body?: unknown } {
  const [[status, answer] = ["200", undefined]] = Object.entries(answers);
  const isExact = /^\d{3}$/.test(status);
  return {
    status: isExact ? Number(status) : 200,
    body: answer?.content?.["application/json"]?.example,
  };
}

const isForm = ({ headers }: IncomingMessage): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/.test(
    headers["content-type"] ?? "",
  );

/** The fields of a form; the library wants them read, with numbers as numbers and JSON as its value. */
async function fieldsOf(
  { headers }: IncomingMessage,
  body: string,
): Promise<Record<string, unknown>> {
  const type = headers["content-type"] ?? "";
  const fields = await new Response(body, { headers: { "content-type": type } }).formData();
  const names = [...new Set(fields.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [first, ...others] = fields.getAll(name).map(valueOf);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

const valueOf = (text: unknown): unknown =>
  typeof text === "string" && /^(?:\d+$|[{[])/.test(text) ? JSON.parse(text) : text;
