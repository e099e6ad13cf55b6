import { PublicError } from "../engine/errors.js";

/** Thrown by a question that the user declined or closed. If the handler does not catch it, the client gets its text. */
export class InputRefused extends PublicError {
  override readonly name = "InputRefused";

  /** Whether the user declined the question or closed it. */
  readonly action: "decline" | "cancel";

  /** @param question The text that the user saw. */
  constructor(question: string, action: "decline" | "cancel") {
    super(`The user declined: ${question}`);
    this.action = action;
  }
}
