import type { Awaitable } from "../engine/awaitable.js";

/** The memory for a text that arrives in parts. */
export interface GrowingMemory {
  /**
   * Reserves memory for so many bytes of the text in all.
   * @returns a promise only if it has to wait
   * @throws ToolError if no memory becomes free in time
   */
  growTo(bytes: number): Awaitable<void>;
  /** Must be called with the number of bytes when the text has been read, or is not read any more. */
  finish(actual: number): void;
}

/** The memory that the server keeps for the answer of one call. */
export interface AnswerMemory {
  /**
   * Reserves memory for bytes that are about to be read. For few bytes nothing is reserved. A call reads one long text
   * after the other.
   * @returns a function to be called with the number of bytes when they have been read
   * @throws ToolError if no memory becomes free in time
   */
  reserve(bytes: number): Awaitable<(actual: number) => void>;
  /**
   * Returns memory for a text that arrives in parts, so that a short one does not wait until there is memory for a long
   * one. For few bytes nothing is reserved. A call reads one long text after the other.
   * @param mostBytes the most bytes that are read of it
   */
  growing(mostBytes: number): GrowingMemory;
  /**
   * Reserves memory for a part of the result that was made elsewhere and is about to be received. The item's next results
   * are expected to be as long, so that nothing is made in vain.
   * @returns a promise only if it has to wait
   * @throws ToolError if no memory becomes free in time
   */
  foresee(bytes: number): Awaitable<void>;
  /**
   * Reserves memory for the result of an item's handler. Its length is not known before, so it is expected to be as
   * long as the item's latest long result.
   * @throws ToolError if no memory becomes free in time
   */
  expect(item: object): Awaitable<void>;
  /**
   * Reserves memory for a result that a handler has made, before it is written. If it is longer than was expected, it
   * may have to wait.
   * @throws ToolError if no memory becomes free in time, or too many results wait for it
   */
  take(result: unknown): Awaitable<void>;
  /** The time for which the call has waited for memory so far, in milliseconds. */
  waitedMs(): number;
}
