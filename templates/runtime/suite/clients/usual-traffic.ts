import { projectFolder } from "../contract.js";

/**
 * Loaded into the process of a built server before its entry: lets clients send as much as where the
 * manifest sets no limits.
 */

/**
 * Limits on how a client may send. Tests are busier than clients: in a second they send more, over more
 * connections, than a manifest may allow.
 */
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

// In the order of `src/main.ts`.
await load("generated/runtime/observe/console-to-log.js");
await load("context.js");
const { definition } = (await load("generated/server.js")) as LimitedServer;
for (const name of TRAFFIC_LIMITS) delete definition.limits?.[name];
