import { orStopped } from "./stop-signal.js";

/** Those who wait for their turn, in the order in which they came. */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];

  /**
   * Waits until it may be this one's turn. Somebody else may have come first meanwhile, so the caller must look again.
   * @throws the reason of the signal
   */
  async wait(signal: AbortSignal): Promise<void> {
    let startTurn = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      startTurn = resolve;
    });
    this.#waiting.push(startTurn);
    try {
      await orStopped(turn, signal);
    } catch (error) {
      const index = this.#waiting.indexOf(startTurn);
      if (index >= 0) this.#waiting.splice(index, 1);
      else this.next();
      throw error;
    }
  }

  /** Begins the turn of the first. To be called when something has become free. */
  next(): void {
    this.#waiting.shift()?.();
  }
}
