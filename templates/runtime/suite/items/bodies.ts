import type { McpServerFactory } from "@modelcontextprotocol/server";
import { toAuthInfo } from "../../authentication/auth-info.js";
import { noteCallerToken } from "../../authentication/caller-tokens.js";
import type { Authentication } from "../../authentication/authentication.js";
import { AnsweredError, Connection } from "../clients/connection.js";
import {
  LocalUpstream,
  type PlayedAnswer,
  type ReceivedRequest,
} from "../clients/local-upstream.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, expectThat, testText } from "../expectation.js";
import { expectMatching, type ValueMatcher } from "../matching.js";
import { skip } from "../starter.js";

/** The contract of items whose bodies are requests to upstreams. */
export interface BodiesContract {
  readonly items: readonly BodyContract[];
}

export interface BodyContract {
  readonly kind: "tools" | "resources" | "prompts";
  readonly name: string;
  /** Whether the item is on at the start. */
  readonly enabled?: boolean;
  /** Who calls, the same for all items; absent if that does not matter. */
  readonly caller?: Authentication;
  /** The answer of a handler until it is written; absent if there is a body. */
  readonly stub?: string;
  readonly cases: readonly BodyCase[];
}

/** A request of a client, the answers of the upstream, and the expected result. */
export interface BodyCase {
  readonly name: string;
  /** The method of the request. By default, a tool is called or a resource is read. */
  readonly method?: "completion/complete" | "resources/list";
  /** The parameters of the request, without the name of a tool. */
  readonly parameters: JsonObject;
  /** The answers to the requests, in their order. */
  readonly answers: readonly PlayedAnswer[];
  /** The first request, if it follows from the manifest. */
  readonly request?: ExpectedRequest;
  /** The members of the result that follow from the manifest. */
  readonly result?: JsonObject;
  /** What holds for values of the result that differ from call to call. */
  readonly matches?: readonly ValueMatcher[];
  /**
   * Members of the structured result that do not follow from the manifest: headers that every service sends, and
   * `nextCursor`. With that, the test asks for the next page.
   */
  readonly beside?: readonly string[];
  /** The beginning of the error's text. A tool has it in its result; a resource is answered with an error. */
  readonly error?: string;
}

export interface ExpectedRequest {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  /** The headers of the manifest. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if the request has none. */
  readonly body?: string;
}

/** The part of `createServer` that these tests use. */
type CreateServer = (upstreams: { readonly origin: string; readonly timeoutMs: number }) => {
  readonly factory: McpServerFactory;
  readonly controls?: Readonly<Record<BodyContract["kind"], { enable(name: string): void }>>;
  close(): Promise<void>;
};

/** The usual time limit, in milliseconds. An answer on this machine comes earlier. */
const TIMEOUT_MS = 10_000;

/**
 * Registers a test for each case. The upstreams are on this machine, so that no request leaves it. Handlers that are
 * not written yet are skipped. To find them, each handler is called first.
 */
export async function testBodies(
  test: SkippingRegistry,
  { items }: BodiesContract,
  createServer: CreateServer,
): Promise<void> {
  const server = new PlayedServer(items, createServer);
  test.after(() => server.close());
  for (const item of items) {
    const { name, stub, cases } = item;
    for (const one of cases) {
      const title = `${name}: ${testText(one.name)}`;
      if (stub !== undefined && (await server.isStub(item, one, stub))) skip(test, title, stub);
      else test(title, () => server.expect(item, one));
    }
  }
}

/** The project's server with its upstream. */
class PlayedServer {
  readonly #items: readonly BodyContract[];
  readonly #createServer: CreateServer;
  #parts: Promise<ServerParts> | undefined;

  constructor(items: readonly BodyContract[], createServer: CreateServer) {
    this.#items = items;
    this.#createServer = createServer;
  }

  async expect(item: BodyContract, one: BodyCase): Promise<void> {
    const { result, requests } = await this.#request(item, one);
    const { nextCursor } = withoutMembers(result, one.beside);
    expectOutcome(result, one, requests);
    if (typeof nextCursor === "string") await this.#expectNextPage(item, one, nextCursor);
  }

  /** Calls a tool with the cursor that it gave, and with one that it did not give. */
  async #expectNextPage(item: BodyContract, one: BodyCase, cursor: string): Promise<void> {
    const ask = async (given: string): Promise<JsonObject> => {
      const sent = { ...(one.parameters["arguments"] as JsonObject), cursor: given };
      const [, ...answers] = one.answers;
      const next = { ...one, answers, parameters: { arguments: sent } };
      return (await this.#request(item, next)).result;
    };
    const page = await ask(cursor);
    expectThat(page["isError"] !== true, `${one.name}: the next page is refused: ${textIn(page)}`);
    const refused = await ask(`${cursor}x`);
    expectThat(refused["isError"] === true, `${one.name}: a cursor that was changed is taken`);
  }

  /** Whether a stub answers the call. */
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
    const server = this.#createServer({ origin, timeoutMs: TIMEOUT_MS });
    for (const { kind, name, enabled } of this.#items) {
      if (enabled === false) server.controls?.[kind].enable(name);
    }
    const [caller] = this.#items.flatMap((item) => item.caller ?? []);
    if (caller !== undefined) noteCallerToken(caller, "a-token-of-a-caller");
    const authentication = caller && { authInfo: toAuthInfo(caller) };
    const factory: McpServerFactory = (request) =>
      server.factory({ ...request, ...authentication });
    return { upstream, server, connection: await Connection.open(factory, "modern") };
  }
}

interface ServerParts {
  readonly upstream: LocalUpstream;
  readonly server: ReturnType<CreateServer>;
  readonly connection: Connection;
}

/** Takes members out of a structured result. @returns these members */
function withoutMembers(result: JsonObject, names: readonly string[] = []): JsonObject {
  const value = { ...(result["structuredContent"] as JsonObject | undefined) };
  const taken = names.filter((name) => Object.hasOwn(value, name));
  const entries = taken.map((name) => [name, value[name]] as const);
  for (const name of taken) delete value[name];
  if (taken.length > 0) (result as Record<string, unknown>)["structuredContent"] = value;
  return Object.fromEntries(entries) as JsonObject;
}

/** Returns the error of a request in the form of a tool's error. */
function errorResult(error: unknown): JsonObject {
  if (!(error instanceof AnsweredError)) throw error;
  return { isError: true, content: [{ type: "text", text: error.message }] };
}

/** Returns the text of a result's first block. */
function textIn(result: JsonObject): string {
  const [block] = result["content"] as { readonly text?: string }[];
  return block?.text ?? "";
}

function expectOutcome(
  result: JsonObject,
  { name, request, result: parts, matches, error }: BodyCase,
  requests: readonly ReceivedRequest[],
): void {
  if (request !== undefined) expectRequest(requests[0], request);
  if (parts !== undefined) expectMatching(result, parts, matches, name);
  if (error === undefined) return;
  expectEqual(result["isError"], true, `${name}: isError`);
  const message = textIn(result);
  expectThat(message.startsWith(error), `${name}: expected an error ${error}, got ${message}`);
}

function expectRequest(received: ReceivedRequest | undefined, expected: ExpectedRequest): void {
  expectThat(received !== undefined, "no request reached the upstream");
  const { method, target, body, headers } = withUsualBoundary(received);
  expectEqual(
    [method, target, body],
    [expected.method, expected.target, expected.body ?? ""],
    "request",
  );
  for (const [name, value] of Object.entries(expected.headers)) {
    expectEqual(headers[name], value, `header ${name}`);
  }
}

/** A request with a form whose boundary is the one that contracts have. */
function withUsualBoundary(received: ReceivedRequest): ReceivedRequest {
  const { headers, body } = received;
  const type = headers["content-type"] ?? "";
  const [start, boundary] = type.split("multipart/form-data; boundary=");
  if (start !== "" || boundary === undefined) return received;
  return {
    ...received,
    headers: { ...headers, "content-type": type.replace(boundary, "boundary") },
    body: body.replaceAll(`--${boundary}`, "--boundary"),
  };
}
