import type { Code } from "../text/code.js";

/** A statement that is laid out on one or several lines, depending on its length. */
export interface CodeStatement {
  /** The whole statement, with `export` and semicolon. */
  readonly code: Code;
  /** Lines of its doc comment. They contain nothing that would end the comment. */
  readonly docs?: readonly string[];
}

/** A type or a constant of a module. */
export interface Declaration extends CodeStatement {
  readonly name: string;
}
