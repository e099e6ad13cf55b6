import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { SemanticChange, SemanticSeverity } from "../../model/plan.js";
import { printable } from "../../text/printable.js";
import type { Paint, Style } from "../terminal.js";

const styles: Readonly<Record<SemanticSeverity, Style>> = {
  breaking: "red",
  warning: "yellow",
  info: "green",
};

/**
 * Semantic changes as a person reads them: where and what, then the full path and the rule, which
 * `explain` explains. Empty where there are none.
 *
 * @param manifest the new one, whose lines are named
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
  return semanticTextAt(changes, placeOf, paint);
}

/** The same where the changes stand in no manifest; `placeOf` says what stands before each. */
export function semanticTextAt(
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
 * The changes under a heading that counts them, between empty lines; empty where there are none.
 *
 * @param since what they are compared with
 */
export function callersText(
  changes: readonly SemanticChange[],
  since: string,
  manifest: LoadedManifest,
  paint: Paint,
): string {
  if (changes.length === 0) return "";
  const heading = paint("bold", `What callers see since ${since}:`);
  return `\n${heading} ${semanticSummary(changes)}\n\n${semanticText(changes, manifest, paint)}\n`;
}

/** How many changes there are of each severity: `2 breaking, 1 warning`. */
export function semanticSummary(changes: readonly SemanticChange[]): string {
  const counts = (["breaking", "warning", "info"] as const).flatMap((severity) => {
    const count = changes.filter((change) => change.severity === severity).length;
    const word = severity === "warning" && count > 1 ? "warnings" : severity;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return counts.length === 0 ? "callers see no change" : counts.join(", ");
}

/** A change as the JSON documents carry it. */
export function reportedChange({
  rule,
  severity,
  path,
  message,
}: SemanticChange): Omit<SemanticChange, "at"> {
  return { rule, severity, path, message };
}
