import type { Diagnostic } from "../../model/diagnostic.js";
import { printable } from "../../text/printable.js";
import { omittedText } from "./diagnostics-text.js";
import { repositoryPath, type PathFrame } from "./repository-path.js";

/**
 * Diagnostics as workflow commands of GitHub, one in each line. GitHub shows them as annotations in the pull request.
 *
 * @param omitted number of diagnostics that are not shown
 */
export function githubAnnotations(
  diagnostics: readonly Diagnostic[],
  omitted: number,
  frame: PathFrame,
): string {
  const lines = diagnostics.map((diagnostic) => annotation(diagnostic, frame));
  if (omitted > 0) lines.push(omittedText(omitted));
  return lines.map((line) => `${line}\n`).join("");
}

function annotation(diagnostic: Diagnostic, frame: PathFrame): string {
  const { severity, code, file, line, endLine, column, endColumn } = diagnostic;
  const properties = Object.entries({
    file: repositoryPath(file, frame),
    line,
    endLine,
    // GitHub refuses columns for a range of several lines.
    ...(line === endLine && { col: column, endColumn }),
    title: code,
  }).map(([name, value]) => `${name}=${escapeProperty(printable(String(value)))}`);
  return `::${severity} ${properties.join(",")}::${escapeData(messageOf(diagnostic))}`;
}

/** The text of an annotation: the message, the related places, and the hint. */
function messageOf({ message, related = [], hint }: Diagnostic): string {
  return [
    message,
    ...related.map((place) => `${place.file}:${place.line}:${place.column}  ${place.message}`),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ]
    .map(printable)
    .join("\n");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
