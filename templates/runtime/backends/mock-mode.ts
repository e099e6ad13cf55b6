import { NotImplementedError } from "../engine/errors.js";

/** In mock mode a handler gets as far as the first thing that it asks, and its item is then answered for. */
export class MockModeError extends NotImplementedError {
  /** @param refused What is not done: `The upstream weather is not asked`. */
  constructor(refused: string) {
    super("");
    this.message = `${refused} in mock mode`;
  }
}
