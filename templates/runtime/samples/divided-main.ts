import "../observe/console-to-log.js";
import cluster from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { asking, defineAsks } from "../asking.js";
import { audit } from "../audit.js";
import { apiKeyFile } from "../auth.js";
import { changes } from "../changes.js";
import type { LiveState } from "../changes/live-state.js";
import type { HandlerContext } from "../context/context.js";
import { consent } from "../consent.js";
import { http } from "../http.js";
import { defineResource, defineServer, defineTool } from "../index.js";
import { start } from "../start/start.js";
import { stdio } from "../stdio.js";
import { sampleAsks, type AskingContext } from "./asking.js";
import { erased, tool } from "./server.js";

/** Runs a server that several processes can serve together, for their tests. Its tools act on the process that runs them. */

type Context = HandlerContext<Record<string, unknown>, unknown> & LiveState & AskingContext;

/** A tool without arguments. */
function acting(name: string, act: (context: Context) => unknown, parts: object = {}) {
  const handler = (_input: object, context: unknown): unknown => act(context as Context);
  return tool(name, erased(handler as never), parts);
}

const variable = (name: string, type: "string" | "number", fallback?: number) => ({
  ...{ name, type, required: false, secret: false },
  ...(fallback !== undefined && { default: fallback }),
});

const { KEY_FILE, TLS_CERT } = process.env;
const tls = TLS_CERT === undefined ? {} : { tls: { cert: "TLS_CERT", key: "TLS_KEY" } };
const trustProxy = Number(process.env["TRUST_PROXY"] ?? 0);
const sessions = process.env["SESSIONS"] === "memory" ? "memory" : "none";

// The primary process ends with the test that has started it, however that ends.
if (cluster.isPrimary) {
  process.stdin.on("close", () => process.kill(process.pid, "SIGKILL")).resume();
}

await start(
  defineServer({
    info: { name: "divided", version: "1.0.0" },
    transports: [
      http({ port: 0, ready: "/readyz", metrics: "/metrics", sessions, trustProxy, ...tls }),
      stdio(),
    ],
    limits: {
      ratePerSecond: { env: "RATE" },
      concurrency: { env: "CONCURRENCY" },
      headersTimeoutMs: { env: "HEADERS_MS" },
    },
    env: [
      variable("RATE", "number", 100_000),
      variable("CONCURRENCY", "number", 100),
      variable("HEADERS_MS", "number", 8_000),
      variable("AUDIT_FILE", "string"),
    ],
    ...(KEY_FILE !== undefined && { auth: [apiKeyFile(() => KEY_FILE)] }),
    use: [
      changes(),
      asking(),
      consent(),
      audit({ to: { env: "AUDIT_FILE" }, arguments: "none", durable: false }),
    ],
    tools: [
      acting("pid", () => String(process.pid)),
      acting("consented", () => `${process.pid} ran`, { confirm: ["Run?"] }),
      acting("extra", () => "extra", { enabled: true }),
      acting("switched", ({ tools }) => `${process.pid} ${tools.isEnabled("extra")}`),
      acting("switch_off", ({ tools }) => tools.disable("extra")),
      acting("switch_on", ({ tools }) => tools.enable("extra")),
      acting("touch", ({ notify }) => notify.resourceUpdated("sample://state")),
      acting("touch_other", ({ notify }) => notify.resourceUpdated("sample://other")),
      acting("crash", () => process.exit(3)),
      acting("hold", async ({ signal }) => {
        await delay(1_500, undefined, { signal });
        return "held";
      }),
      acting("span", async ({ signal }) => {
        // All processes of a machine have the same monotonic clock.
        const from = Number(process.hrtime.bigint());
        await delay(200, undefined, { signal });
        return `${process.pid} ${from} ${Number(process.hrtime.bigint())}`;
      }),
      defineTool(
        acting("ask", async ({ elicit }) => `Hello, ${(await elicit.name({})).name}`, {
          asks: defineAsks(sampleAsks),
        }) as never,
      ),
    ],
    resources: ["state", "other"].map((name) =>
      defineResource({
        definition: { uri: `sample://${name}`, name },
        subscribe: true,
        handler: async () => () => "a text",
      }),
    ),
  }),
);
