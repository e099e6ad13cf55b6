import { limitInWords, type LimitName, type Limits } from "../engine/limits.js";
import type { LogData, Logger } from "./log.js";
import { CountedLines } from "./refusal-counts.js";
import type { ObservedRefusal, RequestObserver, TransportName } from "./request-observer.js";

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
