/** The severity of a diagnostic. `--strict` raises every warning to an error. */
export type Severity = "error" | "warning";

/** A place in a file. Lines and columns are 1-based; columns count UTF-16 units; the end is exclusive. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A second place that belongs to a diagnostic, for example the first of two equal names. */
export interface RelatedPlace extends SourceRange {
  readonly message: string;
}

/** One problem that a person can fix. It is a value, never an exception, and only the catalogue's functions make it. */
export interface Diagnostic extends SourceRange {
  /** Stable code such as `MW1203`; never reused for another meaning. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** Path as the user gave it. Diagnostics about the command line have the file `<command line>`. */
  readonly file: string;
  readonly hint?: string;
  readonly related?: readonly RelatedPlace[];
}

/** Sorts the diagnostics of one file by their places. */
export function inFileOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) => a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : 1),
  );
}
