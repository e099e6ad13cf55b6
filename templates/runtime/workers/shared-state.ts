import type { Trail } from "../audit/trail.js";
import { describeError } from "../engine/describe-error.js";
import type { Nonces } from "../consent/nonces.js";
import { HttpRateLimit } from "../http/rate-limit.js";
import { mergedMetrics } from "./merged-metrics.js";
import type {
  FromWorker,
  Grant,
  QuestionMessage,
  Questions,
  SwitchMessage,
  ToWorker,
  Welcome,
  WorkerPage,
} from "./messages.js";

/** How long a worker may take for its page of metrics, in milliseconds. Its last page stands in for a later one. */
const pageMs = 2_000;

/** A worker may get so many parts of a client's budget of a second before it uses them, for each of the workers. */
const grantsOfSecond = 16;

/** What the workers of a server share. */
export interface SharedStateOptions {
  readonly count: number;
  readonly isSticky: boolean;
  readonly ratePerSecond: number;
  /** Absent if the server has no audit trail. */
  readonly trail?: Trail | undefined;
  readonly requestStateKey?: string | undefined;
  /** Knows what was used once; absent if nothing is. */
  readonly nonces?: Nonces | undefined;
  send(worker: number, message: ToWorker): void;
}

/** The state that the workers of a server share, in the primary process. */
export class SharedState {
  readonly #options: SharedStateOptions;
  readonly #rates: HttpRateLimit;
  /** The numbers of the workers that take part. */
  readonly #joined = new Set<number>();
  /** The latest change of each switch, by its kind and name. */
  readonly #switches = new Map<string, SwitchMessage>();
  readonly #pages: WorkerPages;
  #isBalanced = false;

  constructor(options: SharedStateOptions) {
    this.#options = options;
    this.#rates = new HttpRateLimit(options.ratePerSecond);
    this.#pages = new WorkerPages((worker, id) => options.send(worker, { kind: "page", id }));
  }

  /** Whether a load balancer has asked any worker whether it is ready. */
  get isBalanced(): boolean {
    return this.#isBalanced;
  }

  /** Takes a message of a worker. */
  receive(worker: number, message: FromWorker): void {
    switch (message.kind) {
      case "question":
        return void this.#answer(worker, message);
      case "switch":
        this.#switches.set(`${message.items}/${message.name}`, message);
        for (const other of this.#joined) this.#tell(other, message, other === worker);
        return;
      case "event":
        for (const other of this.#joined) if (other !== worker) this.#options.send(other, message);
        return;
      case "balanced":
        this.#isBalanced = true;
        return;
      case "page":
        return this.#pages.add(worker, message.id, message.text);
      case "alive":
      case "serving":
    }
  }

  /** Forgets a worker that has ended. */
  left(worker: number): void {
    this.#joined.delete(worker);
    this.#pages.left(worker);
  }

  #tell(worker: number, change: SwitchMessage, isOwn: boolean): void {
    this.#options.send(worker, { ...change, isOwn });
  }

  async #answer(worker: number, { id, about, asks }: QuestionMessage): Promise<void> {
    const { send } = this.#options;
    try {
      send(worker, { kind: "answer", id, gets: await this.#answerTo(worker, about, asks) });
    } catch (error) {
      send(worker, { kind: "answer", id, error: describeError(error) });
    }
  }

  #answerTo(worker: number, about: keyof Questions, asks: unknown): unknown {
    const { trail, nonces } = this.#options;
    switch (about) {
      case "hello":
        return this.#welcome(worker);
      case "join":
        this.#joined.add(worker);
        for (const change of this.#switches.values()) this.#tell(worker, change, false);
        return undefined;
      case "requests":
        return this.#grant(asks as Questions["requests"]["asks"]);
      case "redeem": {
        const { nonce, expires, holder } = asks as Questions["redeem"]["asks"];
        return nonces?.redeem(nonce, expires, holder) ?? "unknown";
      }
      case "audit":
        return Promise.all(
          (asks as Questions["audit"]["asks"]).lines.map((line) => trail?.write(stamped(line))),
        );
      case "sync":
        return trail?.synced();
      case "pages":
        return this.#pages.read(this.#joined);
    }
  }

  #welcome(worker: number): Welcome {
    const { count, isSticky, requestStateKey, nonces } = this.#options;
    return { worker, count, isSticky, requestStateKey, issuer: nonces?.issuer };
  }

  /** Grants a worker more requests than it wants where the limit is high, so that it asks less often. */
  #grant({ client, wanted }: Questions["requests"]["asks"]): Grant {
    const { count, ratePerSecond } = this.#options;
    const most = Math.max(wanted, Math.floor(ratePerSecond / (grantsOfSecond * count)));
    const { taken, waitMs } = this.#rates.takeUpTo(most, client);
    return { granted: taken, waitMs: taken < wanted ? waitMs : 0 };
  }
}

/** A line of the audit trail with the present time, so that the lines of all workers are in order. */
function stamped(line: string): string {
  return line.replace(/^\{"time":"[^"]*"/, `{"time":"${new Date().toISOString()}"`);
}

/** A reader who waits for the pages of workers. */
interface Reading {
  readonly missing: Set<number>;
  readonly finish: () => void;
}

/** The pages of metrics of all workers. */
class WorkerPages {
  readonly #ask: (worker: number, id: number) => void;
  /** The latest page of each worker that runs. */
  readonly #latest = new Map<number, string>();
  readonly #readings = new Map<number, Reading>();
  /** What the workers had counted that have ended, when it was last read. */
  #ended = "";
  #reads = 0;

  constructor(ask: (worker: number, id: number) => void) {
    this.#ask = ask;
  }

  async read(workers: ReadonlySet<number>): Promise<readonly WorkerPage[]> {
    const id = ++this.#reads;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pageMs);
      const finish = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#readings.set(id, { missing: new Set(workers), finish });
      for (const worker of workers) this.#ask(worker, id);
    });
    this.#readings.delete(id);
    const pages = [...this.#latest].map(([worker, text]) => ({ worker, text }));
    return [{ text: this.#ended }, ...pages.sort((one, other) => one.worker - other.worker)];
  }

  add(worker: number, id: number, text: string): void {
    this.#latest.set(worker, text);
    this.#noteAnswered(worker, id);
  }

  left(worker: number): void {
    const text = this.#latest.get(worker) ?? "";
    this.#latest.delete(worker);
    this.#ended = mergedMetrics([{ text: this.#ended }, { text }]);
    for (const id of this.#readings.keys()) this.#noteAnswered(worker, id);
  }

  #noteAnswered(worker: number, id: number): void {
    const reading = this.#readings.get(id);
    reading?.missing.delete(worker);
    if (reading?.missing.size === 0) reading.finish();
  }
}
