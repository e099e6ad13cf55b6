import type { Mend } from "./mend.js";
import { comparePlaces, type Place, type RelatedPlace } from "./place.js";

/** The severity of a diagnostic. `--strict` raises every warning to an error. */
export type Severity = "error" | "warning";

/** One problem that a person can fix. It is a value, never an exception, and only the catalogue's functions make it. */
export interface Diagnostic extends Place {
  /** Stable code such as `MW1203`; never reused for another meaning. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly related?: readonly RelatedPlace[];
  /** How it is mended, where that is certain. `fix/` replaces it by `fix`. */
  readonly mend?: Mend;
  /** Changes of the text that mend it. */
  readonly fix?: Fix;
}

/** Changes of one file that belong together. They do not overlap. */
export interface Fix {
  readonly edits: readonly TextEdit[];
}

/** The replacement of what is at a place by a text. */
export interface TextEdit extends Place {
  readonly newText: string;
}

/** Sorts diagnostics by their places. */
export function inFileOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (one, other) => comparePlaces(one, other) || (one.code < other.code ? -1 : 1),
  );
}
