import { SSEClientTransport } from "@modelcontextprotocol/client";
import { foreignOrigin, sendRaw } from "../clients/http.js";
import type { JsonObject, ServerContract } from "../contract.js";
import { expectEqual } from "../expectation.js";
import { closeAll, connect, type Connect } from "../clients/harness.js";
import { listeningServer } from "../clients/listening-server.js";
import type { TestRegistry } from "../clients/probed-server.js";
import { testEra } from "./every-transport.js";

/** Connects a client to the built server over HTTP with server-sent events, which only older clients support. */
export const connectSseServer: Connect = async (_era, contract) => {
  const { url, fetch, stderr } = listeningServer(contract);
  const transport = new SSEClientTransport(new URL(await url("sse")), {
    fetch: (input, init) => fetch(new Request(input, init)),
  });
  return { client: await stderr.explain(() => connect(transport, "legacy")), stderr };
};

/** Registers the tests of the built server behind HTTP with server-sent events. */
export function testSse(test: TestRegistry, contract: ServerContract): void {
  const sse = contract.transports.find(({ type }) => type === "sse") as JsonObject;
  test.after(closeAll);
  // The tests have no valid token.
  if (contract.guarded === undefined) {
    const transport = { name: "SSE", connect: connectSseServer };
    testEra(test, contract, transport, "legacy");
  }
  test("SSE refuses pages of other sites", async () => {
    const { url, fetch } = listeningServer(contract);
    const headers = { origin: foreignOrigin(sse) };
    const stream = new Request(await url("sse"), { headers });
    expectEqual((await sendRaw(stream, fetch)).status, 403, "status of the stream");
    const messages = new URL(`${String(sse["messagesPath"])}?sessionId=x`, await url("sse"));
    const message = new Request(messages, { method: "POST", headers });
    expectEqual((await sendRaw(message, fetch)).status, 403, "status of a message");
  });
}
