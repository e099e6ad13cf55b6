import "../observe/console-to-log.js";
import { fileURLToPath } from "node:url";
import { serveNetwork } from "../http/start-network.js";
import { start } from "../start/start.js";
import { serveStdio } from "../stdio/start-stdio.js";
import { sampleServer } from "./server.js";

/** Runs the sample server as a process, for tests of transports and signals. */
console.log("modules loaded");
const exported = process.env["SAMPLE_EXPORT"];
await start(sampleServer, {
  context: exported === undefined ? {} : { [exported]: () => undefined },
  root: fileURLToPath(new URL("../../../../", import.meta.url)),
  transports: [
    serveNetwork({
      listen: async () => (await import("../http/listener.js")).listen,
      http: async () => (await import("../http/sessions.js")).httpEndpointWithSessions,
      sse: async () => (await import("../sse/endpoint.js")).sseEndpoint,
      websocket: async () => (await import("../websocket/endpoint.js")).webSocketEndpoint,
    }),
    serveStdio(),
  ],
});
