import type { AnyContext, Caller } from "../context/context.js";
import { loggerOf, type Logger } from "../observe/log.js";

/**
 * Prevents a run from repeating the progress and log entries of earlier runs of the same call. Until the run
 * gets a new answer, its progress is dropped and its log entries are held back.
 */
export class Replay {
  #isReplaying: boolean;
  #heldEntries: (() => void)[] = [];

  /** @param isRepeated Whether there were runs before this one. */
  constructor(isRepeated: boolean) {
    this.#isReplaying = isRepeated;
  }

  /** Called when the run does something new. The entries that were held back are dropped. */
  catchUp(): void {
    this.#isReplaying = false;
    this.#heldEntries = [];
  }

  /** Called when the run ends without a question. The entries that were held back are written, since they are new. */
  release(): void {
    this.#isReplaying = false;
    for (const write of this.#heldEntries.splice(0)) write();
  }

  /** Returns the caller with the log that this run may send. */
  quietCaller(caller: Caller): Caller {
    return {
      ...caller,
      sendLog: (level, data) => this.#hold(() => caller.sendLog(level, data)),
    };
  }

  /** Returns the function that reports the progress that this run may send. */
  quietProgress(progress: AnyContext["progress"]): AnyContext["progress"] {
    return async (...report) => {
      if (!this.#isReplaying) await progress(...report);
    };
  }

  /** Returns the log that this run may write to. */
  quietLog(log: Logger): Logger {
    return loggerOf(
      (level) => (message, data) => void this.#hold(async () => log[level](message, data)),
    );
  }

  async #hold(write: () => Promise<void>): Promise<void> {
    if (!this.#isReplaying) return write();
    // The run must not fail because its client has disconnected.
    this.#heldEntries.push(() => void write().catch(() => undefined));
  }
}
