import { foreignOrigin } from "../clients/http.js";
import { WebSocket } from "ws";
import { testTls } from "../clients/tls.js";
import type { JsonObject, ServerContract } from "../contract.js";
import { expectEqual } from "../expectation.js";
import { closeAll, connect, type Connect } from "../clients/harness.js";
import { listeningServer } from "../clients/listening-server.js";
import type { TestRegistry } from "../clients/probed-server.js";
import { testEras } from "./every-transport.js";
import { WebSocketClientTransport } from "../clients/websocket-client.js";

/** Connects a client to the built server over WebSocket. */
export const connectWebSocketServer: Connect = async (era, contract) => {
  const { url, stderr } = listeningServer(contract);
  const transport = new WebSocketClientTransport(await url("websocket"), authorityOf(contract));
  return { client: await stderr.explain(() => connect(transport, era)), stderr };
};

/** Registers the tests of the built server behind WebSocket. */
export function testWebSocket(test: TestRegistry, contract: ServerContract): void {
  const definition = contract.transports.find(({ type }) => type === "websocket") as JsonObject;
  // The tests have no valid token.
  if (contract.guarded !== undefined) test.after(closeAll);
  else
    testEras(test, contract, {
      name: "WebSocket",
      connect: connectWebSocketServer,
    });
  test("WebSocket refuses pages of other sites", async () => {
    const url = await listeningServer(contract).url("websocket");
    const origin = foreignOrigin(definition);
    const status = await refusalOf(url.replace(/^http/, "ws"), { origin }, authorityOf(contract));
    expectEqual(status, 403, "status");
  });
}

/** The certificate that clients must trust; undefined if the server has none. */
function authorityOf({ transports }: ServerContract): string | undefined {
  return transports.some(({ tls }) => tls !== undefined) ? testTls().authority : undefined;
}

/** Returns the status of the answer to an upgrade: 101 if it is accepted. */
function refusalOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  ca: string | undefined,
): Promise<number> {
  const socket = new WebSocket(url, { headers, ...(ca === undefined ? {} : { ca }) });
  return new Promise((resolve, reject) => {
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.on("error", reject);
  });
}
