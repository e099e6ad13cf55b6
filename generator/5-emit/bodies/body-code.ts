import type { Code } from "../../text/code.js";

/** The code of a body, in parts. */
export interface BodyCode {
  /** Names that it imports from the module for handlers, in addition to the type of the handler. */
  readonly imports: readonly string[];
  /** The steps of a selection that it takes, which it imports from the runtime. */
  readonly steps?: readonly string[];
  /** Its docstring. */
  readonly docs: string;
  /** The first parameter of the handler. */
  readonly parameter: Code;
  readonly statements: readonly Code[];
}
