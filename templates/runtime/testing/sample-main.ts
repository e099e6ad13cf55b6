import "../console-to-log.js";
import { fileURLToPath } from "node:url";
import { listen } from "../http-listener.js";
import { httpEndpointWithSessions } from "../http-sessions.js";
import { start } from "../start.js";
import { sseEndpoint } from "../sse.js";
import { serveStdio } from "../stdio.js";
import { webSocketEndpoint } from "../websocket.js";
import { sampleServer } from "./sample-server.js";

/** The sample server as a process, for tests of transports and signals. */
console.log("modules loaded");
await start(sampleServer, {
  root: fileURLToPath(new URL("../../../../", import.meta.url)),
  serveStdio,
  network: {
    listen,
    http: httpEndpointWithSessions,
    sse: sseEndpoint,
    websocket: webSocketEndpoint,
  },
});
