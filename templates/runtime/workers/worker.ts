import type { LiveState } from "../changes/live-state.js";
import type { Nonces } from "../consent/nonces.js";
import type { ServerDefinition } from "../engine/definition.js";
import { limitsOf } from "../engine/limits.js";
import { noteBalancer, onBalancer } from "../http/balancing.js";
import type { Replicas } from "../http/replicas.js";
import { withFields, type Logger } from "../observe/log.js";
import type { RunningServer } from "../server/create-server.js";
import type { Environment } from "../start/env.js";
import type { ShutDown } from "../start/shut-down.js";
import { exitStatus } from "../start/shut-down.js";
import type { WorkerProcess } from "../start/worker-process.js";
import { partsOfLimits } from "./divided-limits.js";
import { acceptFrom } from "./handed-connections.js";
import type { Welcome } from "./messages.js";
import { metricsPageOf } from "./metrics-page.js";
import { PrimaryLink } from "./primary-link.js";
import { shareEvents, shareSwitches } from "./worker-changes.js";
import { WorkerRates } from "./worker-rates.js";
import { WorkerTrail } from "./worker-trail.js";

/** How often a worker says that it is not stuck, in milliseconds. */
export const aliveMs = 1_000;

/** Makes this process a worker of its primary process. */
export async function joinPrimary(environment: Environment, log: Logger): Promise<Worker> {
  const link = new PrimaryLink();
  // Until it serves, there is nothing to finish.
  link.on("stop", () => process.exit(exitStatus.success));
  return new Worker(link, await link.ask("hello", {}), environment, log);
}

/** A process that serves together with others. */
class Worker implements WorkerProcess {
  readonly log: Logger;
  readonly environment: Environment;
  readonly trail: WorkerTrail;
  readonly #link: PrimaryLink;
  readonly #welcome: Welcome;

  constructor(link: PrimaryLink, welcome: Welcome, environment: Environment, log: Logger) {
    const { worker, requestStateKey } = welcome;
    this.#link = link;
    this.#welcome = welcome;
    this.log = withFields(log, { worker });
    this.trail = new WorkerTrail(link);
    this.environment =
      requestStateKey === undefined
        ? environment
        : { ...environment, REQUEST_STATE_KEY: requestStateKey };
  }

  partOf(definition: ServerDefinition, env: object): ServerDefinition {
    const { worker, count } = this.#welcome;
    const limits = partsOfLimits(limitsOf(definition, env), worker, count);
    return {
      ...definition,
      limits: { ...definition.limits, ...limits },
      ...(definition.metricsPage !== undefined && { metricsPage: metricsPageOf(this.#link) }),
    };
  }

  async join(
    { scale }: ServerDefinition,
    controls: object | undefined,
    replicas: Replicas | undefined,
  ): Promise<Replicas> {
    const link = this.#link;
    const isShared = (state: "events" | "switches"): boolean =>
      replicas !== undefined && scale?.share.includes(state) === true;
    if (controls !== undefined) {
      // `createControls` of the same project always makes a `LiveState`.
      const state = controls as LiveState;
      if (!isShared("events")) shareEvents(link, state);
      if (!isShared("switches")) shareSwitches(link, state);
    }
    // The answer comes after what was switched before, so that no client meets an older state.
    await link.ask("join", {});
    return {
      get problem() {
        return replicas?.problem;
      },
      close: async () => replicas?.close(),
      rates:
        replicas?.rates ??
        new WorkerRates((client, wanted) => link.ask("requests", { client, wanted })),
      ...this.#nonces(replicas),
      ...(replicas?.taskStore && { taskStore: replicas.taskStore }),
      ...(replicas?.accountStore && { accountStore: replicas.accountStore }),
      ...(this.#welcome.isSticky && { accept: acceptFrom(link) }),
    };
  }

  /** What was used once is known to the replicas, or else to the primary process. */
  #nonces(replicas: Replicas | undefined): Pick<Replicas, "nonces"> {
    const { issuer } = this.#welcome;
    if (replicas?.nonces !== undefined) return { nonces: replicas.nonces };
    if (issuer === undefined) return {};
    const redeem: Nonces["redeem"] = (nonce, expires, holder) =>
      this.#link.ask("redeem", { nonce, expires, holder });
    return { nonces: { issuer, redeem } };
  }

  serve(server: RunningServer, shutDown: ShutDown): void {
    const link = this.#link;
    link.on("stop", ({ reason, isBalanced: isNoticeNeeded }) => {
      // A balancer that has asked another worker sends its requests to this one, too.
      if (isNoticeNeeded) noteBalancer(server);
      shutDown.run(reason);
    });
    onBalancer(server, () => link.send({ kind: "balanced" }));
    setInterval(() => link.send({ kind: "alive" }), aliveMs).unref();
    link.send({ kind: "serving" });
  }
}
