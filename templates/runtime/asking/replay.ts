import type { Caller } from "../context/context.js";
import type { Logger } from "../observe/log.js";

/**
 * Keeps a run from repeating the progress and the log entries of earlier runs: until it gets an answer that
 * they did not have, its progress is dropped and its log entries are held back.
 */
export class Replay {
  #isUnderWay: boolean;
  #held: (() => void)[] = [];

  /** @param isRepeated Whether there were runs before this one. */
  constructor(isRepeated: boolean) {
    this.#isUnderWay = isRepeated;
  }

  /** From now on, the run does something new. */
  catchUp(): void {
    this.#isUnderWay = false;
    this.#held = [];
  }

  /** The run has ended another way than those before it: entries that were held back are new after all. */
  giveUp(): void {
    this.#isUnderWay = false;
    for (const write of this.#held.splice(0)) write();
  }

  /** The caller as this run may talk to it. */
  quietCaller(caller: Caller): Caller {
    const { sendProgress } = caller;
    return {
      ...caller,
      sendLog: (level, data) => this.#hold(() => caller.sendLog(level, data)),
      ...(sendProgress === undefined
        ? {}
        : {
            sendProgress: async (report) => {
              if (!this.#isUnderWay) await sendProgress(report);
            },
          }),
    };
  }

  quietLog(log: Logger): Logger {
    const entry =
      (level: keyof Logger): Logger["info"] =>
      (message, data) =>
        void this.#hold(async () => log[level](message, data));
    return {
      debug: entry("debug"),
      info: entry("info"),
      warning: entry("warning"),
      error: entry("error"),
    };
  }

  async #hold(write: () => Promise<void>): Promise<void> {
    if (!this.#isUnderWay) return write();
    // The run must not fail because its client has disconnected.
    this.#held.push(() => void write().catch(() => undefined));
  }
}
