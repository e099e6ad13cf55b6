import type { RunningServer } from "../server/create-server.js";
import type { Gate } from "./gate.js";
import {
  isRead,
  READ_METHODS,
  refusedMethod,
  statusAnswer,
  type PlainPage,
} from "./page-answer.js";
import { isLeaving, noteBalancer, readyChecks } from "./balancing.js";
import { replicasOf } from "./replicas.js";
import type { RequestHead } from "./request-head.js";

/** Time limit of each check, in milliseconds. */
const answerMs = 2_000;

/** Checks of what the server needs, by the status word that reports a failed check. */
type Checks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

/**
 * Reports to load balancers whether the server is ready for requests. `?exclude=redis` leaves that check out.
 * Requests may name any host, since load balancers use an address.
 */
export function readyPage(gate: Gate, server: RunningServer): PlainPage {
  const checks = checksOf(server);
  return (request) => {
    if (!isRead(request)) return refusedMethod(READ_METHODS);
    noteBalancer(server);
    return problemOf(gate, server, checks, excludedBy(request)).then(statusAnswer);
  };
}

function checksOf(server: RunningServer): Checks {
  return {
    redis: () => replicasOf(server)?.problem === undefined,
    backends: once(async () => (await server.check()).length === 0),
    services: once(async () => (await readyChecks.get(server)?.()) ?? true),
  };
}

function excludedBy({ url = "" }: RequestHead): readonly string[] {
  const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
  return new URLSearchParams(query).getAll("exclude");
}

/** The status word for why the server is not ready; undefined if it is ready. */
async function problemOf(
  gate: Gate,
  server: RunningServer,
  checks: Checks,
  excluded: readonly string[],
): Promise<string | undefined> {
  if (gate.isStopping || isLeaving(server)) return "stopping";
  if (server.brokenItems.size > 0) return "broken";
  const included = Object.entries(checks).filter(([name]) => !excluded.includes(name));
  const results = await Promise.all(included.map(([, check]) => inTime(check).catch(() => false)));
  return included[results.indexOf(false)]?.[0];
}

/** Shares the result of running work with all callers. The work starts again only after it has ended. */
function once(work: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/** @throws what the work throws, and Error if it takes longer than `answerMs` */
async function inTime<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("it took too long")), answerMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
