import "../observe/console-to-log.js";
import { fileURLToPath } from "node:url";
import { http } from "../http.js";
import { sse } from "../sse.js";
import { start } from "../start/start.js";
import { stdio } from "../stdio.js";
import { webSocket } from "../websocket.js";
import { sampleServer } from "./server.js";

/** Runs the sample server as a process, for tests of transports and signals. */
console.log("modules loaded");
const exported = process.env["SAMPLE_EXPORT"];
await start({
  definition: { ...sampleServer, lateParts: [] },
  context: async () => (exported === undefined ? {} : { [exported]: () => undefined }),
  root: fileURLToPath(new URL("../../../../", import.meta.url)),
  transports: [http({ sessions: "memory" }), sse(), webSocket(), stdio()],
});
