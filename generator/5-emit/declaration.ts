import type { Code } from "../text/code.js";

/** A statement whose layout depends on its length. */
export interface CodeStatement {
  /** All of it, `export` and semicolon included. */
  readonly code: Code;
  /** Lines of the doc comment above it, safe to stand in one. */
  readonly docs?: readonly string[];
}

/** A type or a constant of a module. */
export interface Declaration extends CodeStatement {
  readonly name: string;
}
