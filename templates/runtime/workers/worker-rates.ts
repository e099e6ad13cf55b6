import type { SharedBudget } from "../http/rate-limit.js";
import type { Grant } from "./messages.js";

/** Most clients whose granted requests are remembered. Beyond that, the first one is forgotten. */
const maxClients = 10_000;

/** Requests that wait until it is known whether they may be accepted. */
interface Waiting {
  readonly wanted: number;
  readonly resolve: () => void;
}

/** What a client may still send to this worker. */
interface Budget {
  /** Granted requests that nothing is decided about. */
  left: number;
  /** Granted requests that are accepted, and not counted yet. */
  reserved: number;
  /** When the client may send again, by `performance.now()`. */
  refusedUntil: number;
  /** In the order in which they came. */
  readonly waiting: Waiting[];
  isAsking: boolean;
}

/**
 * Gives each client one budget for all workers together. The primary process counts, and grants a worker several
 * requests at once where the limit is high. A request that needs another grant waits for it.
 */
export class WorkerRates implements SharedBudget {
  readonly #ask: (client: string, wanted: number) => Promise<Grant>;
  readonly #budgets = new Map<string, Budget>();

  /** @param ask Asks the primary process for requests of a client. */
  constructor(ask: (client: string, wanted: number) => Promise<Grant>) {
    this.#ask = ask;
  }

  whenDecided(client: string, wanted: number, now: number): Promise<void> | undefined {
    const budget = this.#budgetOf(client);
    const isDecided = budget.left >= wanted || budget.refusedUntil > now;
    if (isDecided && budget.waiting.length === 0) {
      reserve(budget, wanted);
      return undefined;
    }
    return new Promise((resolve) => {
      budget.waiting.push({ wanted, resolve });
      if (!budget.isAsking) void this.#grantAll(client, budget);
    });
  }

  /** What was decided holds until here, also if the client could send again meanwhile. */
  take(client: string, now: number): number {
    const budget = this.#budgetOf(client);
    if (budget.reserved === 0) return Math.max(1, Math.ceil((budget.refusedUntil - now) / 1_000));
    budget.reserved -= 1;
    return 0;
  }

  /** Asks until nothing waits. What waits for one answer is asked for together. */
  async #grantAll(client: string, budget: Budget): Promise<void> {
    budget.isAsking = true;
    while (budget.waiting.length > 0) {
      const wanted = budget.waiting.reduce((sum, one) => sum + one.wanted, -budget.left);
      const waiting = budget.waiting.splice(0);
      const { granted, waitMs } = await this.#ask(client, wanted);
      budget.left += granted;
      if (waitMs > 0) budget.refusedUntil = performance.now() + waitMs;
      for (const one of waiting) {
        reserve(budget, one.wanted);
        one.resolve();
      }
    }
    budget.isAsking = false;
  }

  #budgetOf(client: string): Budget {
    const found = this.#budgets.get(client);
    if (found !== undefined) return found;
    const budget = { left: 0, reserved: 0, refusedUntil: -Infinity, waiting: [], isAsking: false };
    this.#budgets.set(client, budget);
    if (this.#budgets.size > maxClients) {
      const [oldest = client] = this.#budgets.keys();
      this.#budgets.delete(oldest);
    }
    return budget;
  }
}

/** Accepts so many requests, as far as they are granted. */
function reserve(budget: Budget, wanted: number): void {
  const reserved = Math.min(wanted, budget.left);
  budget.left -= reserved;
  budget.reserved += reserved;
}
