import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../../templates/runtime/samples/until.js";
import type { StartedServer } from "../../../harness/clients/project-clients.js";
import type { Balancer } from "./balancer.js";
import type { RedisProxy } from "./redis-proxy.js";
import { useEverything, type Replicas } from "./replicas.js";

/** What a fault happens to: replicas behind a balancer, calls that go on, and the way to Redis. */
export interface FaultScene {
  readonly scene: Replicas;
  /** The replicas that are there; a fault may replace them. */
  readonly replicas: StartedServer[];
  readonly balancer: Balancer;
  readonly proxy: RedisProxy;
  /** How long a fault lasts that has no end of its own, in milliseconds. */
  readonly lastsMs: number;
  /** Starts one more replica, as the others were started. */
  startReplica(env?: Readonly<Record<string, string>>): Promise<StartedServer>;
}

export interface Fault {
  readonly name: string;
  /** Most calls under way whose connection may break, by how many are under way in all. */
  readonly mayBreak: "none" | "those of one replica";
  /** Whether a replica stops in order, for which the balancer has to look at `/readyz`. */
  readonly stopsInOrder?: true;
  /** Lets it happen, and resolves once it is over and all replicas are ready. */
  happen(scene: FaultScene): Promise<void>;
}

/** A clock that is a minute ahead of that of the machine. */
const CLOCK_AHEAD = `data:text/javascript,${encodeURIComponent(`
const Real = Date;
const now = () => Real.now() + 60_000;
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
  static now = now;
};`)}`;

/** What can go wrong between replicas, Redis and a balancer. */
export const faults: readonly Fault[] = [
  { name: "nothing", mayBreak: "none", happen: ({ lastsMs }) => delay(lastsMs) },
  {
    name: "a replica is killed, and another takes its place",
    mayBreak: "those of one replica",
    happen: async ({ scene, replicas, balancer, startReplica }) => {
      const gone = replicas.shift();
      const url = gone?.url ?? "";
      const client = await scene.connect(url, "modern", "ada");
      const subscription = await client.listen({ resourceSubscriptions: ["demo://state"] });
      await gone?.kill();
      const end = await subscription.closed;
      if (end !== "remote") throw new Error(`the stream of a killed replica ended: ${end}`);
      balancer.remove(url);
      const replacement = await startReplica();
      replicas.push(replacement);
      balancer.add(replacement.url);
    },
  },
  {
    name: "all replicas are replaced, one after the other",
    mayBreak: "none",
    stopsInOrder: true,
    happen: async ({ replicas, balancer, startReplica }) => {
      for (const old of [...replicas]) {
        const replacement = await startReplica();
        balancer.add(replacement.url);
        await old.stop();
        balancer.remove(old.url);
        replicas.splice(replicas.indexOf(old), 1, replacement);
      }
    },
  },
  {
    name: "Redis is restarted, and has lost what it held",
    mayBreak: "none",
    happen: async (around) => {
      await around.scene.redis.stop();
      await readiness(around, 503);
      await around.scene.redis.startAgain();
      await readiness(around, 200);
    },
  },
  {
    name: "Redis is paused",
    mayBreak: "none",
    happen: async (around) => {
      around.scene.redis.pause();
      await readiness(around, 503);
      await delay(6 * around.lastsMs);
      around.scene.redis.resume();
      await readiness(around, 200);
    },
  },
  {
    name: "Redis is out of memory",
    mayBreak: "none",
    happen: async (around) => {
      const { redis } = around.scene;
      // Then it takes no command that writes.
      await redis.send("CONFIG SET maxmemory 1");
      await readiness(around, 503);
      await delay(around.lastsMs);
      await redis.send("CONFIG SET maxmemory 0");
      await readiness(around, 200);
    },
  },
  {
    name: "Redis is a replica that only reads",
    mayBreak: "none",
    happen: async (around) => {
      const { redis } = around.scene;
      await redis.send("REPLICAOF 127.0.0.1 1");
      await readiness(around, 503);
      await delay(around.lastsMs);
      await redis.send("REPLICAOF NO ONE");
      await readiness(around, 200);
    },
  },
  {
    name: "Redis is busy with the script of somebody else",
    mayBreak: "none",
    happen: async (around) => {
      const { redis } = around.scene;
      await redis.send("CONFIG SET busy-reply-threshold 100");
      const script = redis.send('EVAL "while true do end" 0').catch(() => "");
      await readiness(around, 503);
      await delay(around.lastsMs);
      await redis.send("SCRIPT KILL");
      await script;
      await readiness(around, 200);
    },
  },
  {
    name: "Redis is emptied",
    mayBreak: "none",
    happen: async ({ scene, lastsMs }) => {
      await scene.redis.send("FLUSHALL");
      await delay(lastsMs);
    },
  },
  {
    name: "Redis is slow, 300 ms each way",
    mayBreak: "none",
    happen: async (around) => {
      const { proxy, lastsMs } = around;
      proxy.delayMs = 300;
      await delay(lastsMs);
      proxy.interrupt();
      await readiness(around, 503);
      await readiness(around, 200);
      proxy.delayMs = 0;
    },
  },
  cut("what replicas send to Redis is lost", "losesCommands"),
  cut("what Redis sends is lost", "losesAnswers"),
  {
    name: "the clock of a replica is a minute ahead",
    mayBreak: "none",
    stopsInOrder: true,
    happen: async ({ scene, balancer, startReplica, lastsMs }) => {
      const ahead = await startReplica({ NODE_OPTIONS: `--import=${CLOCK_AHEAD}` });
      balancer.add(ahead.url);
      const client = await scene.connect(balancer.url, "modern", "ada");
      for (let turn = 0; turn < 8; turn++) await useEverything(client);
      await delay(lastsMs);
      await ahead.stop();
      balancer.remove(ahead.url);
    },
  },
];

function cut(name: string, direction: "losesCommands" | "losesAnswers"): Fault {
  return {
    name,
    mayBreak: "none",
    happen: async (around) => {
      around.proxy[direction] = true;
      await readiness(around, 503);
      await delay(around.lastsMs);
      around.proxy[direction] = false;
      await readiness(around, 200);
    },
  };
}

/** Waits until all replicas say so at `/readyz`. */
function readiness({ replicas }: FaultScene, status: number): Promise<void> {
  return until(async () => {
    const found = await Promise.all(
      replicas.map(async ({ url }) => (await fetch(new URL("/readyz", url))).status),
    );
    return found.every((one) => one === status);
  });
}
