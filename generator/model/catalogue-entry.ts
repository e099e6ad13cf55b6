import type { Diagnostic, Severity } from "./diagnostic.js";
import type { Mend } from "./mend.js";
import type { Place, RelatedPlace } from "./place.js";

/** What is reported for a code. What `mcpwright explain` says of it stands in Markdown beside it (`explanations.ts`). */
export interface CatalogueEntry<Parameters> {
  readonly code: string;
  readonly severity: Severity;
  /** The exit status of a run with it, if that is not the one that its command has otherwise. */
  readonly exit?: "wrong" | "needsPerson" | "failed";
  /** Says what is wrong at `place`, what was expected and what was found. The reporter escapes control characters. */
  readonly message: (parameters: Parameters, place: Place) => string;
  readonly hint?: (parameters: Parameters) => string | undefined;
  /** How the YAML at the place is mended, where only one way is possible. */
  readonly mend?: (parameters: Parameters) => Mend | undefined;
}

/** An entry as it is written: an error, if it does not say otherwise. */
type WrittenEntry<Parameters> = Omit<CatalogueEntry<Parameters>, "severity"> &
  Partial<Pick<CatalogueEntry<Parameters>, "severity">>;

/** Makes diagnostics of one code. `entry` is the code's entry in the catalogue. */
export interface DiagnosticMaker<Parameters> {
  (place: Place, parameters: Parameters, related?: readonly RelatedPlace[]): Diagnostic;
  readonly entry: CatalogueEntry<Parameters>;
}

/** Makes the one function that reports this code. No other code constructs a diagnostic with it. */
export function defineDiagnostic<Parameters = Record<never, never>>(
  written: WrittenEntry<Parameters>,
): DiagnosticMaker<Parameters> {
  const entry: CatalogueEntry<Parameters> = { severity: "error", ...written };
  const make = (
    place: Place,
    parameters: Parameters,
    related: readonly RelatedPlace[] = [],
  ): Diagnostic => {
    const hint = entry.hint?.(parameters);
    const mend = entry.mend?.(parameters);
    return {
      code: entry.code,
      severity: entry.severity,
      message: entry.message(parameters, place),
      file: place.file,
      line: place.line,
      column: place.column,
      endLine: place.endLine,
      endColumn: place.endColumn,
      ...(hint !== undefined && { hint }),
      ...(related.length > 0 && { related }),
      ...(mend !== undefined && { mend }),
    };
  };
  return Object.assign(make, { entry });
}
