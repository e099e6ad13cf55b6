import type { McpServerFactory } from "@modelcontextprotocol/server";
import { AnsweredError, Connection } from "../clients/connection.js";
import type { SkippingRegistry } from "../clients/probed-server.js";
import {
  StandInServer,
  type RemoteAnswer,
  type RemoteRequest,
} from "../clients/stand-in-server.js";
import type { JsonObject } from "../contract.js";
import { expectEqual, expectParts, expectThat, testText } from "../expectation.js";

/** The contract of items whose bodies are requests to other MCP servers. */
export interface RemoteServersContract {
  readonly items: readonly RemoteContract[];
}

export interface RemoteContract {
  readonly kind: "tools" | "resources" | "prompts";
  readonly name: string;
  /** Whether the item is on at the start. */
  readonly enabled?: boolean;
  readonly cases: readonly RemoteCase[];
}

/** A request of a client, the answer of the other server, and the expected result. */
export interface RemoteCase {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly answer: RemoteAnswer;
  /** The request to the other server; absent if any request is right. */
  readonly request?: RemoteRequest;
  /** The members of the result that follow from the manifest. */
  readonly result?: JsonObject;
  /** The beginning of the error's text. A tool has it in its result; other items are answered with an error. */
  readonly error?: string;
}

/** The part of `createServer` that these tests use. */
type CreateServer = (connect: StandInServer["connect"]) => {
  readonly factory: McpServerFactory;
  readonly controls?: Readonly<Record<RemoteContract["kind"], { enable(name: string): void }>>;
  close(): Promise<void>;
};

const METHODS = { tools: "tools/call", resources: "resources/read", prompts: "prompts/get" };

/** Registers a test for each case. A server in this process replaces all other servers. */
export async function testRemoteServers(
  test: SkippingRegistry,
  { items }: RemoteServersContract,
  createServer: CreateServer,
): Promise<void> {
  const standIn = new StandInServer();
  const server = createServer(standIn.connect);
  for (const { kind, name, enabled } of items) {
    if (enabled === false) server.controls?.[kind].enable(name);
  }
  const connection = await Connection.open(server.factory, "modern");
  test.after(async () => {
    await connection.close();
    await server.close();
  });
  for (const { kind, name, cases } of items) {
    for (const one of cases) {
      test(`${name}: ${testText(one.name)}`, async () => {
        standIn.play(one.answer);
        const result = await connection.request(METHODS[kind], one.parameters).catch(errorResult);
        expectOutcome(result, one, standIn.requests);
      });
    }
  }
}

/** Returns the error of a request in the form of a tool's error. */
function errorResult(error: unknown): JsonObject {
  if (!(error instanceof AnsweredError)) throw error;
  return { isError: true, content: [{ type: "text", text: error.message }] };
}

function expectOutcome(
  result: JsonObject,
  { name, request, result: parts, error }: RemoteCase,
  requests: readonly RemoteRequest[],
): void {
  const [content] = (result["content"] ?? []) as { readonly text?: string }[];
  const message = content?.text ?? "";
  expectThat(requests.length > 0, `${name}: no other server was asked: ${message}`);
  if (request !== undefined) expectEqual(requests[0], request, name);
  if (parts !== undefined) expectParts(result, parts, name);
  if (error === undefined) return;
  expectEqual(result["isError"], true, `${name}: isError`);
  expectThat(message.startsWith(error), `${name}: expected an error ${error}, got ${message}`);
}
