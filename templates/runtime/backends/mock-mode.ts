import { NotImplementedError } from "../engine/errors.js";

/** Thrown in mock mode when a handler asks something: the mock of its item is then the answer. */
export class MockModeError extends NotImplementedError {
  /** @param refused What is not done: `The upstream weather is not asked`. */
  constructor(refused: string) {
    super("");
    this.message = `${refused} in mock mode`;
  }
}
