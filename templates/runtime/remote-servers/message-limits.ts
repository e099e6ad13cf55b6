import { EventQueue } from "../engine/event-queue.js";
import { countDrops } from "../observe/drop-counts.js";
import type { Logger } from "../observe/log.js";

/** The length of the log messages that a server may send at once, and in a second, in characters. */
const MAX_LENGTH = 262_144;
const LENGTH_PER_SECOND = 8_192;

/** A shorter message counts as one of this length. */
const MIN_LENGTH = 256;

/** Limits the messages that a server sends beside its answers. */
export class MessageLimits {
  readonly #countDrops: (count: number) => void;
  readonly #reports: EventQueue;
  readonly #keys = new WeakMap<object, string>();
  #calls = 0;
  #length = MAX_LENGTH;
  #at = performance.now();

  /** @param name the name of the server in the manifest */
  constructor(name: string, log: Pick<Logger, "warning"> | undefined) {
    this.#countDrops = countDrops((dropped) =>
      log?.warning("messages of another server were dropped, as too many came", {
        upstream: name,
        dropped,
      }),
    );
    this.#reports = new EventQueue(this.#countDrops);
  }

  /** Counts a log message. @returns whether it may be passed on */
  takeLogMessage(data: unknown): boolean {
    const now = performance.now();
    const earned = ((now - this.#at) / 1_000) * LENGTH_PER_SECOND;
    this.#length = Math.min(MAX_LENGTH, this.#length + earned);
    this.#at = now;
    const isAllowed = this.#length >= MIN_LENGTH && this.#takeLength(lengthOf(data));
    if (!isAllowed) this.#countDrops(1);
    return isAllowed;
  }

  /** Adds a progress report of a call. It replaces an earlier one that was not sent yet. */
  addReport(call: object, send: () => void): void {
    this.#reports.add(this.#keyOf(call), send);
  }

  /** Sends the report of a call that was not sent yet. */
  sendReport(call: object): void {
    this.#reports.handleNow(this.#keyOf(call));
  }

  #takeLength(length: number): boolean {
    const counted = Math.max(MIN_LENGTH, length);
    if (counted > this.#length) return false;
    this.#length -= counted;
    return true;
  }

  #keyOf(call: object): string {
    const key = this.#keys.get(call) ?? String((this.#calls += 1));
    this.#keys.set(call, key);
    return key;
  }
}

function lengthOf(data: unknown): number {
  return typeof data === "string" ? data.length : (JSON.stringify(data) ?? "").length;
}
