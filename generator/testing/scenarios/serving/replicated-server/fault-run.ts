import { until } from "../../../../../templates/runtime/samples/until.js";
import { CheckedLoad } from "./checked-load.js";
import type { Fault, FaultScene } from "./faults.js";
import { RedisProxy } from "./redis-proxy.js";
import { notificationsOf, textOf, UPDATED, type Replicas } from "./replicas.js";

export interface FaultRunOptions {
  readonly replicas: number;
  /** Calls that are sent during each fault, at least. */
  readonly calls: number;
  /** How many calls are under way at once. */
  readonly callers: number;
  /** How long each call takes in its handler, in milliseconds. */
  readonly delayMs: number;
  /** How long a fault lasts that has no end of its own, in milliseconds. */
  readonly lastsMs: number;
}

/** What came of the calls during a fault. */
export interface FaultResult {
  readonly fault: string;
  readonly sent: number;
  readonly ok: number;
  /** Calls whose connection broke. */
  readonly broken: number;
  /** Events of another principal that reached a client. */
  readonly leaked: number;
  /** What must not have come; empty where all is well. */
  readonly problems: readonly string[];
}

/** What is the same for all faults: the way to Redis, the replicas, which a fault may replace, and how another starts. */
type FaultedServers = Pick<FaultScene, "scene" | "replicas" | "proxy" | "startReplica">;

/**
 * Lets faults happen, one after the other, to the same replicas behind a balancer while checked calls go on, and looks
 * after each whether an event still reaches the clients of its principal, and nobody else.
 *
 * @param report gets each result as it comes
 */
export async function runFaults(
  scene: Replicas,
  faults: readonly Fault[],
  options: FaultRunOptions,
  report: (result: FaultResult) => void = () => undefined,
): Promise<FaultResult[]> {
  const proxy = await RedisProxy.before(scene.redis.port);
  const startReplica: FaultScene["startReplica"] = (env) =>
    scene.start({ REDIS_URL: proxy.url, ...env });
  const results: FaultResult[] = [];
  try {
    const replicas = await Promise.all(
      Array.from({ length: options.replicas }, () => startReplica()),
    );
    for (const fault of faults) {
      const result = await runFault({ scene, replicas, proxy, startReplica }, fault, options);
      results.push(result);
      report(result);
      await scene.closeClients();
    }
  } finally {
    await scene.closeAll();
    proxy.close();
  }
  return results;
}

async function runFault(
  servers: FaultedServers,
  fault: Fault,
  { replicas: count, calls, callers, delayMs, lastsMs }: FaultRunOptions,
): Promise<FaultResult> {
  const { scene, replicas } = servers;
  // Redis that is away makes a replica unready: a balancer that obeyed would then have none.
  const obeysReadiness = fault.stopsInOrder ?? false;
  const balancer = await scene.balance(replicas, { obeysReadiness });
  const load = new CheckedLoad(balancer.url, delayMs, callers);
  await fault.happen({ ...servers, balancer, lastsMs });
  const outcomes = await load.stop(calls);
  const { missing, leaked } = await tellPrincipals(scene, balancer.url);
  const { ok = 0, broken = 0, ...others } = Object.fromEntries(outcomes);
  const mostBroken = fault.mayBreak === "none" ? 0 : Math.ceil(callers / count) * 2;
  return {
    fault: fault.name,
    sent: load.sent,
    ok,
    broken,
    leaked,
    problems: [
      ...Object.entries(others).map(([outcome, times]) => `${times} times: ${outcome}`),
      ...(broken > mostBroken ? [`${broken} connections broke, at most ${mostBroken} may`] : []),
      ...(missing > 0 ? [`${missing} events did not arrive`] : []),
      ...(leaked > 0 ? [`${leaked} events reached another principal`] : []),
    ],
  };
}

/** Changes the state of one of two principals through any replica, and counts the notifications of both. */
async function tellPrincipals(
  scene: Replicas,
  url: string,
): Promise<{ readonly missing: number; readonly leaked: number }> {
  const [ada, bob, caller] = await Promise.all([
    scene.connect(url, "modern", "ada"),
    scene.connect(url, "modern", "bob"),
    scene.connect(url, "modern", "ada"),
  ]);
  const [toldAda, toldBob] = [notificationsOf(ada), notificationsOf(bob)];
  const filter = { resourceSubscriptions: ["demo://state"] };
  await Promise.all([ada.listen(filter), bob.listen(filter)]);
  const turns = 4;
  let missing = 0;
  for (let turn = 1; turn <= turns; turn++) {
    await textOf(caller, "touch");
    await until(() => toldAda.length === turn).catch(() => (missing = turns - toldAda.length));
    if (missing > 0) break;
  }
  return { missing, leaked: toldBob.filter((method) => method === UPDATED).length };
}
