import { Composer, type CST, type ParsedNode } from "yaml";
import { LIMITS } from "./limits.js";
import type { Mend } from "../model/mend.js";
import type { Span } from "./scan.js";

export interface SyntaxProblem extends Span {
  readonly code: string;
  readonly message: string;
}

/** A problem with the manifest's text and the line in which the problem starts. */
export interface ProblemSite {
  readonly problem: SyntaxProblem;
  readonly text: string;
  readonly lineStart: number;
  readonly line: string;
  readonly document?: CST.Document;
}

/** Improves the report of a syntax error. */
export interface SyntaxAdvice {
  /** What to do about it. */
  readonly hint?: string;
  /** What is wrong, in place of the library's message. */
  readonly message?: string;
  /** The offset of the cause, if it is not where the library noticed the error. */
  readonly start?: number;
  /** The edit that mends it, where only one is possible. */
  readonly mend?: Mend;
  /** True if further problems in the line have the same cause. */
  readonly explainsLine?: boolean;
}

/** Errors about tags and directives. The scan reports them with messages of its own. */
const REPORTED_BY_SCAN: ReadonlySet<string> = new Set([
  "TAG_RESOLVE_FAILED",
  "BAD_COLLECTION_TYPE",
  "BAD_DIRECTIVE",
]);

/** Composes the syntax tree to nodes with ranges. Recursive: the caller has checked the tree's depth. */
export function composeNodes(document: CST.Document): {
  root: ParsedNode | null;
  problems: SyntaxProblem[];
} {
  const problems: SyntaxProblem[] = [];
  const composer = new Composer({ uniqueKeys: false, logLevel: "silent" });
  collectProblems(composer, problems);
  const [composed] = composer.compose([document]);
  return { root: composed?.contents ?? null, problems };
}

/**
 * Makes the composer add its errors to `problems`. The library keeps each as an `Error` with a stack, and
 * a hostile file can have a million. So this replaces the composer's property `onError` by a handler
 * that keeps less of each and stops at a limit.
 */
function collectProblems(composer: Composer, problems: SyntaxProblem[]): void {
  const onError = (source: ErrorSource, code: string, message: string, isWarning?: boolean) => {
    if (isWarning === true || REPORTED_BY_SCAN.has(code)) return;
    const span = spanOf(source);
    const isSameStart = problems.at(-1)?.start === span.start;
    if (!isSameStart && problems.length < LIMITS.syntaxProblems) {
      problems.push({ code, message, ...span });
    }
  };
  Object.defineProperty(composer, "onError", { value: onError });
}

type ErrorSource = number | readonly number[] | { offset: number; source?: unknown };

function spanOf(source: ErrorSource): Span {
  if (typeof source === "number") return { start: source, end: source + 1 };
  if ("offset" in source) {
    const length = typeof source.source === "string" ? source.source.length : 1;
    return { start: source.offset, end: source.offset + length };
  }
  const [start = 0, end = start + 1] = source;
  return { start, end };
}
