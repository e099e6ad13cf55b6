import type { McpServerFactory } from "@modelcontextprotocol/server";
import { AnsweredError, Connection } from "../clients/connection.js";
import {
  LocalUpstream,
  type PlayedAnswer,
  type ReceivedRequest,
} from "../clients/local-upstream.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, expectParts, expectThat, testText } from "../expectation.js";
import { skip } from "../starter.js";

declare module "../contract.js" {
  interface Contracts {
    readonly bodies: BodiesContract;
  }
}

/** What the manifest says of requests to upstreams. */
export interface BodiesContract {
  readonly items: readonly BodyContract[];
}

export interface BodyContract {
  readonly kind: "tools" | "resources" | "prompts";
  readonly name: string;
  /** Whether it is there from the start. */
  readonly enabled?: boolean;
  /** What a handler answers until it is written; absent where there is a body. */
  readonly stub?: string;
  readonly cases: readonly BodyCase[];
}

/** A request of a client, what the upstream answers, and what comes of it. */
export interface BodyCase {
  readonly name: string;
  /** Of the request; without it a tool is called, and a resource read. */
  readonly method?: "completion/complete" | "resources/list";
  /** Of the request, but for the name of a tool. */
  readonly parameters: JsonObject;
  /** Of each request, in their order. */
  readonly answers: readonly PlayedAnswer[];
  /** The first request, where the manifest says which it is. */
  readonly request?: ExpectedRequest;
  /** The parts of the result that are known. */
  readonly result?: JsonObject;
  /** Of an error: what its text begins with. A tool says it in its result, a resource answers with it. */
  readonly error?: string;
}

export interface ExpectedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Those that the manifest states. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The part of `createServer` that these tests use. */
type CreateServer = (options: {
  readonly upstreams: { readonly origin: string; readonly timeoutMs: number };
}) => {
  readonly factory: McpServerFactory;
  readonly controls?: Readonly<Record<BodyContract["kind"], { enable(name: string): void }>>;
  close(): Promise<void>;
};

/** Long enough for an answer on this machine, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Where no answer comes, nothing is won by waiting for it. */
const SHORT_TIMEOUT_MS = 50;

/**
 * Registers a test for each case. The upstreams are on this machine: no request leaves it. Handlers that are
 * not written yet are skipped; to know them, each is called first.
 */
export async function testBodies(
  test: SkippingRegistry,
  { items }: BodiesContract,
  createServer: CreateServer,
): Promise<void> {
  const patient = new PlayedServer(items, createServer, TIMEOUT_MS);
  const impatient = new PlayedServer(items, createServer, SHORT_TIMEOUT_MS);
  test.after(async () => {
    await patient.close();
    await impatient.close();
  });
  for (const item of items) {
    const { name, stub, cases } = item;
    for (const one of cases) {
      const title = `${name}: ${testText(one.name)}`;
      const isSilent = one.answers.some(({ fault }) => fault === "silence");
      const server = isSilent ? impatient : patient;
      if (stub !== undefined && (await server.isStub(item, one, stub))) skip(test, title, stub);
      else test(title, () => server.expect(item, one));
    }
  }
}

/** The project's server, and the upstream that it asks. */
class PlayedServer {
  readonly #items: readonly BodyContract[];
  readonly #createServer: CreateServer;
  readonly #timeoutMs: number;
  #parts: Promise<ServerParts> | undefined;

  constructor(items: readonly BodyContract[], createServer: CreateServer, timeoutMs: number) {
    this.#items = items;
    this.#createServer = createServer;
    this.#timeoutMs = timeoutMs;
  }

  async expect(item: BodyContract, one: BodyCase): Promise<void> {
    const { result, requests } = await this.#request(item, one);
    expectOutcome(result, one, requests);
  }

  /** Whether a call is answered by a stub. */
  async isStub(item: BodyContract, one: BodyCase, stub: string): Promise<boolean> {
    const { result } = await this.#request(item, one);
    return result["isError"] === true && textIn(result) === stub;
  }

  async #request(
    { kind, name }: BodyContract,
    { method, parameters, answers }: BodyCase,
  ): Promise<{ result: JsonObject; requests: readonly ReceivedRequest[] }> {
    const { upstream, connection } = await (this.#parts ??= this.#open());
    upstream.play(answers);
    const result =
      kind === "tools"
        ? await connection.request("tools/call", { name, ...parameters })
        : await connection.request(method ?? "resources/read", parameters).catch(errorResult);
    return { result, requests: upstream.requests };
  }

  async close(): Promise<void> {
    const { upstream, server, connection } = (await this.#parts) ?? {};
    await connection?.close();
    await server?.close();
    await upstream?.close();
  }

  async #open(): Promise<ServerParts> {
    const upstream = await LocalUpstream.open();
    const { origin } = upstream;
    const server = this.#createServer({ upstreams: { origin, timeoutMs: this.#timeoutMs } });
    for (const { kind, name, enabled } of this.#items) {
      if (enabled === false) server.controls?.[kind].enable(name);
    }
    return { upstream, server, connection: await Connection.open(server.factory, "modern") };
  }
}

interface ServerParts {
  readonly upstream: LocalUpstream;
  readonly server: ReturnType<CreateServer>;
  readonly connection: Connection;
}

/** The error of a request, in the form that the errors of tools have. */
function errorResult(error: unknown): JsonObject {
  if (!(error instanceof AnsweredError)) throw error;
  return { isError: true, content: [{ type: "text", text: error.message }] };
}

/** The text of a result's first block. */
function textIn(result: JsonObject): string {
  const [block] = result["content"] as { readonly text?: string }[];
  return block?.text ?? "";
}

function expectOutcome(
  result: JsonObject,
  { name, request, result: parts, error }: BodyCase,
  requests: readonly ReceivedRequest[],
): void {
  if (request !== undefined) expectRequest(requests[0], request);
  if (parts !== undefined) expectParts(result, parts, name);
  if (error === undefined) return;
  expectEqual(result["isError"], true, `${name}: isError`);
  const said = textIn(result);
  expectThat(said.startsWith(error), `${name}: expected an error ${error}, got ${said}`);
}

function expectRequest(received: ReceivedRequest | undefined, expected: ExpectedRequest): void {
  expectThat(received !== undefined, "no request reached the upstream");
  const { method, target, body } = received;
  expectEqual([method, target, body], [expected.method, expected.target, expected.body], "request");
  for (const [name, value] of Object.entries(expected.headers)) {
    expectEqual(received.headers[name], value, `header ${name}`);
  }
}
