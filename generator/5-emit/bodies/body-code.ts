import type { Code } from "../../text/code.js";

/** What the code of a body is made of. */
export interface BodyCode {
  /** What it imports of the project's own module, beside the type of the handler. */
  readonly imports: readonly string[];
  readonly docs: string;
  /** The first parameter of the handler. */
  readonly parameter: Code;
  readonly statements: readonly Code[];
}
