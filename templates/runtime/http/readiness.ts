import type { RunningServer } from "../server/create-server.js";
import type { HttpGate } from "./gate.js";
import { isRead, refuseMethod, sendStatus } from "./pages.js";
import { isLeaving, noteBalancer, readyChecks } from "./balancing.js";
import { replicasOf } from "./replicas.js";
import type { Page } from "./transport.js";

/** How long services and databases may take to say whether they can be used, in milliseconds. */
const answerMs = 2_000;

/** Says whether the server can be sent requests. Whoever asks may name any host: balancers name an address. */
export function readyPage(gate: HttpGate, server: RunningServer): Page {
  return (request, response) => {
    if (!isRead(request)) return refuseMethod(gate, request, response);
    noteBalancer(server);
    void problemOf(gate, server).then((problem) => {
      if (!response.destroyed) sendStatus(request, response, problem);
    });
  };
}

/** In a word, why the server cannot be sent requests; undefined where it can. */
async function problemOf(gate: HttpGate, server: RunningServer): Promise<string | undefined> {
  if (gate.isStopping || isLeaving(server)) return "stopping";
  if (server.brokenItems.size > 0) return "broken";
  if (replicasOf(server)?.problem !== undefined) return "redis";
  const problems = await inTime(() => server.backends?.check() ?? []).catch(() => ["failed"]);
  if (problems.length > 0) return "backends";
  const isReady = await inTime(() => readyChecks.get(server)?.() ?? true).catch(() => false);
  return isReady ? undefined : "services";
}

/** @throws what the work throws, and Error where it takes too long */
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
