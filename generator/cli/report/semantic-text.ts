import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { Plan, SemanticChange, SemanticSeverity } from "../../model/plan.js";
import { printable } from "../../text/printable.js";
import type { Paint, Style } from "../terminal.js";

const styles: Readonly<Record<SemanticSeverity, Style>> = {
  breaking: "red",
  warning: "yellow",
  info: "green",
};

/**
 * Semantic changes for people. For each change: its place and message, then its full path and its rule, which
 * `explain` describes. Empty if there are no changes.
 *
 * @param manifest the new manifest, for the line numbers
 */
export function semanticText(
  changes: readonly SemanticChange[],
  manifest: LoadedManifest,
  paint: Paint,
): string {
  const placeOf = ({ at }: SemanticChange): string => {
    const { file, line } = manifest.locate(at, "key");
    return `${file}:${line}`;
  };
  return semanticTextWithPlaces(changes, placeOf, paint);
}

/** The same for changes that have no line in a manifest. `placeOf` gives the place of each change. */
export function semanticTextWithPlaces(
  changes: readonly SemanticChange[],
  placeOf: (change: SemanticChange) => string,
  paint: Paint,
): string {
  if (changes.length === 0) return "";
  const lines = changes.flatMap((change) => {
    const { rule, severity, path, message } = change;
    const place = paint("bold", printable(placeOf(change)));
    return [
      `${place}  ${paint(styles[severity], severity)}  ${printable(message)}`,
      paint("dim", `   ${printable(path)}  [${rule}]`),
    ];
  });
  return [...lines, ""].join("\n");
}

/**
 * The changes under a heading with their numbers, between empty lines. Empty if there are no changes.
 *
 * @param since the name of the state that the manifest was compared with; undefined if it was compared with nothing
 */
export function callersText(
  changes: readonly SemanticChange[],
  since: string | undefined,
  manifest: LoadedManifest,
  paint: Paint,
): string {
  if (changes.length === 0) return "";
  const heading = paint(
    "bold",
    `What callers see${since === undefined ? "" : ` since ${printable(since)}`}:`,
  );
  return `\n${heading} ${semanticSummary(changes)}\n\n${semanticText(changes, manifest, paint)}\n`;
}

/** The name of the state that a plan compares with. Undefined before the first generation. */
export function formerState({ changes }: Plan): string | undefined {
  const isFirst = changes.some(({ owner, op }) => owner === "lock" && op === "create");
  return isFirst ? undefined : "the last generation";
}

/** The number of changes of each severity: `2 breaking, 1 warning`. */
export function semanticSummary(changes: readonly SemanticChange[]): string {
  const counts = (["breaking", "warning", "info"] as const).flatMap((severity) => {
    const count = changes.filter((change) => change.severity === severity).length;
    const word = severity === "warning" && count > 1 ? "warnings" : severity;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return counts.length === 0 ? "callers see no change" : counts.join(", ");
}

/** A change in the form of the `--json` documents, with its place if a manifest has it. */
export interface ReportedChange extends Omit<SemanticChange, "at"> {
  readonly file?: string;
  readonly line?: number;
}

/** @param manifest the new manifest; undefined if the change is one of a running server */
export function reportedChange(
  { rule, severity, path, message, at }: SemanticChange,
  manifest?: LoadedManifest,
): ReportedChange {
  if (manifest === undefined) return { rule, severity, path, message };
  const { file, line } = manifest.locate(at, "key");
  return { rule, severity, path, message, file, line };
}
