import { PublicError } from "../engine/errors.js";

/** Thrown by a question that the user declined or closed; a call that it ends answers with its text. */
export class InputRefused extends PublicError {
  override readonly name = "InputRefused";

  readonly action: "decline" | "cancel";

  /** @param question What the user was asked. */
  constructor(question: string, action: "decline" | "cancel") {
    super(`The user declined: ${question}`);
    this.action = action;
  }
}
