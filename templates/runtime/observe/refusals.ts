import { limitInWords, type LimitName, type Limits } from "../engine/limits.js";
import type { LogData, Logger } from "./log.js";
import type {
  ObservedRefusal,
  RequestFilter,
  RequestObserver,
  TransportName,
} from "./request-observer.js";

/** A limit that a request, a message or a connection exceeded, and who sent it, as far as that is known. */
export interface ExceededLimit {
  readonly limit: LimitName | "answerMemory";
  readonly address?: string | undefined;
  readonly principal?: string | undefined;
}

/**
 * Reports what was refused. Whatever exceeds a limit of the server is a warning that names the limit and the sender,
 * since an operator who knows both can raise the limit or stop the sender.
 */
export class Refusals {
  readonly #limits: Limits;
  readonly #observer: RequestObserver | undefined;
  readonly #lines: CountedLines;

  /** @param periodMs How long refusals of one sender for one limit are counted before their count is logged. */
  constructor(
    limits: Limits,
    log: Logger,
    observer: RequestObserver | undefined,
    periodMs?: number,
  ) {
    this.#limits = limits;
    this.#observer = observer;
    const write = (data: LogData): void => log.warning("refused for a limit", data);
    this.#lines = new CountedLines(write, { periodMs, further: { address: "others" } });
  }

  /** Reports a request that was refused before the engine or the SDK received it. */
  report(
    transport: TransportName,
    refusal: ObservedRefusal,
    { message, exceeded }: { readonly message?: unknown; readonly exceeded?: ExceededLimit } = {},
  ): void {
    const limit = exceeded && limitInWords(this.#limits, exceeded.limit);
    this.#observer?.refuse(transport, { ...refusal, limit }, message);
    if (exceeded !== undefined) this.exceed(exceeded, { transport, status: refusal.status });
  }

  /**
   * Logs that something was refused for a limit. One line joins what the same sender exceeds; where too many senders do,
   * one line joins the others.
   * @returns the limit in the manifest's words, for the answer
   */
  exceed(
    { limit, address, principal }: ExceededLimit,
    where: { readonly transport?: TransportName; readonly status?: number } = {},
  ): string {
    const words = limitInWords(this.#limits, limit);
    const sender = principal === undefined ? { address: address ?? "unknown" } : { principal };
    this.#lines.add({ limit: words, ...where, ...sender });
    return words;
  }

  /** Logs what was counted so far. */
  flush(): void {
    this.#lines.flush();
  }
}

/** Entries of one kind are counted for this long before their count is logged, in milliseconds. */
const PERIOD_MS = 10_000;
/** The maximum number of kinds counted at the same time. Each entry of a further kind is logged. */
const MAX_KINDS = 200;

/** The options of {@link CountedLines}. */
interface CountingOptions {
  /** The length of a period, in milliseconds. */
  readonly periodMs?: number | undefined;
  /** What replaces the same members of kinds beyond the maximum, so that these share a few lines. */
  readonly further?: LogData;
}

/** How many entries of a kind were not written yet, with their data and the end of their period. */
interface Counted {
  readonly data: LogData;
  readonly endsAt: number;
  count: number;
}

/**
 * Joins entries of a log, so that many of them do not flood it. The first entry of a kind has its own line. The
 * following ones within a period share one line, which has their count and is written when the period ends.
 */
export class CountedLines {
  readonly #write: (data: LogData) => void;
  readonly #options: CountingOptions;
  /** How many entries of a kind were not written yet, with their data. */
  readonly #kinds = new Map<string, Counted>();

  /** @param write gets the data of an entry, or those of a period's entries with their count */
  constructor(write: (data: LogData) => void, options: CountingOptions = {}) {
    this.#write = write;
    this.#options = options;
  }

  /** Writes the first entry of a kind, and counts the following ones. */
  add(data: LogData): void {
    const { further } = this.#options;
    const isFurther = further !== undefined && this.#isFull && !this.#kinds.has(kindOf(data));
    const counted = isFurther ? { ...data, ...further } : data;
    if (!this.repeats(counted, isFurther)) this.#write(counted);
  }

  /**
   * Whether an entry repeats one of its kind, and is only counted.
   * @param mayExceed whether its kind is counted although there are as many as can be
   */
  repeats(data: LogData, mayExceed = false): boolean {
    const kind = kindOf(data);
    const former = this.#kinds.get(kind);
    if (former !== undefined || this.#isFull) this.#endOverdue();
    const counted = this.#kinds.get(kind);
    if (counted !== undefined) counted.count += 1;
    else if (mayExceed || !this.#isFull) this.#startPeriod(kind, data);
    return counted !== undefined;
  }

  /** Ends periods whose timers never fire: in workers, a timer ends with the request that set it. */
  #endOverdue(): void {
    const now = performance.now();
    for (const [kind, counted] of this.#kinds) {
      // The first kinds are the oldest, and all periods have the same length.
      if (now <= counted.endsAt) return;
      this.#endPeriod(kind, counted);
    }
  }

  get #isFull(): boolean {
    return this.#kinds.size >= MAX_KINDS;
  }

  /** Writes the counts of periods that have not ended. */
  flush(): void {
    for (const { data, count } of this.#kinds.values()) this.#writeCount(data, count);
    this.#kinds.clear();
  }

  #startPeriod(kind: string, data: LogData): void {
    const counted = { data, count: 0, endsAt: performance.now() + this.#periodMs };
    this.#kinds.set(kind, counted);
    setTimeout(() => this.#endPeriod(kind, counted), this.#periodMs).unref();
  }

  #endPeriod(kind: string, counted: Counted): void {
    if (this.#kinds.get(kind) !== counted) return;
    const { data, count } = counted;
    this.#kinds.delete(kind);
    this.#writeCount(data, count);
    if (count > 0) this.#startPeriod(kind, data);
  }

  #writeCount(data: LogData, count: number): void {
    if (count > 0) this.#write({ ...data, count, withinMs: this.#periodMs });
  }

  get #periodMs(): number {
    return this.#options.periodMs ?? PERIOD_MS;
  }
}

function kindOf(data: LogData): string {
  return JSON.stringify(data);
}

/** What is only counted of the refused requests, and the end of the counting. */
export interface RefusalCounts {
  /** Whether a request is a refusal that is only counted and needs no line of its own. */
  readonly isCounted: RequestFilter;
  /** Writes what was counted so far. */
  flush(): void;
}

/** Joins the lines of requests that were refused, as {@link CountedLines} does. */
export function countRefusals(log: Logger, periodMs?: number): RefusalCounts {
  const lines = new CountedLines((data) => log.info("requests refused", data), { periodMs });
  return {
    isCounted: ({ transport, outcome, status, reason, code }) =>
      outcome === "refused" && lines.repeats({ transport, status, reason, code }),
    flush: () => lines.flush(),
  };
}
