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

declare module "../contract.js" {
  interface Contracts {
    readonly "remote-servers": RemoteServersContract;
  }
}

/** What the manifest says of items whose calls other MCP servers get. */
export interface RemoteServersContract {
  readonly items: readonly RemoteContract[];
}

export interface RemoteContract {
  readonly kind: "tools" | "resources" | "prompts";
  readonly name: string;
  /** Whether it is there from the start. */
  readonly enabled?: boolean;
  readonly cases: readonly RemoteCase[];
}

/** A request of a client, what the other server answers, and what comes of it. */
export interface RemoteCase {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly answer: RemoteAnswer;
  /** What the other server is asked; absent where it is enough that it is. */
  readonly request?: RemoteRequest;
  /** The parts of the result that are known. */
  readonly result?: JsonObject;
  /** Of an error: what its text begins with. A tool says it in its result, the others answer with it. */
  readonly error?: string;
}

/** The part of `createServer` that these tests use. */
type CreateServer = (connect: StandInServer["connect"]) => {
  readonly factory: McpServerFactory;
  readonly controls?: Readonly<Record<RemoteContract["kind"], { enable(name: string): void }>>;
  close(): Promise<void>;
};

const METHODS = { tools: "tools/call", resources: "resources/read", prompts: "prompts/get" };

/** Registers a test for each case. A server in this process answers instead of every other. */
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

/** The error of a request, in the form that the errors of tools have. */
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
  const said = content?.text ?? "";
  expectThat(requests.length > 0, `${name}: no other server was asked: ${said}`);
  if (request !== undefined) expectEqual(requests[0], request, name);
  if (parts !== undefined) expectParts(result, parts, name);
  if (error === undefined) return;
  expectEqual(result["isError"], true, `${name}: isError`);
  expectThat(said.startsWith(error), `${name}: expected an error ${error}, got ${said}`);
}
