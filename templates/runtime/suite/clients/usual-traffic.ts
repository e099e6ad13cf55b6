import { projectFolder } from "../contract.js";

/* Runs in the process of a built server before its entry, and removes the manifest's limits on traffic. */

/** The limits on traffic. Tests send more requests, over more connections, than a manifest may allow. */
const TRAFFIC_LIMITS = [
  "bodyBytes",
  "ratePerSecond",
  "sessions",
  "sessionIdleMs",
  "connections",
  "headersTimeoutMs",
  "bodyTimeoutMs",
] as const;

interface LimitedServer {
  readonly definition: { readonly limits?: Record<string, unknown> };
}

const load = (path: string): Promise<unknown> =>
  import(new URL(`dist/src/${path}`, projectFolder).href);

// The order is that of `src/main.ts`.
await load("generated/runtime/observe/console-to-log.js");
await load("context.js");
const { definition } = (await load("generated/server.js")) as LimitedServer;
for (const name of TRAFFIC_LIMITS) delete definition.limits?.[name];
