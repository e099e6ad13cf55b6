import { NotImplementedError } from "../engine/errors.js";

/** Thrown when a handler uses a backend in mock mode. The server then answers with the mock of the item. */
export class MockModeError extends NotImplementedError {
  /** @param refusal what is not done, for example `The upstream weather is not asked` */
  constructor(refusal: string) {
    super("");
    this.message = `${refusal} in mock mode`;
  }
}
