import { ToolError } from "../engine/errors.js";
import { printable } from "../engine/printable.js";
import { pathText, StyledValue } from "./styles.js";

/** The most characters of a value that a message shows. */
const MAX_SHOWN = 100;

/**
 * A template tag for a path with percent-encoded values.
 *
 * @throws ToolError if a value is absent, or if a segment with a value is empty or leads to another folder (`..`)
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  let result = texts[0] ?? "";
  const valueRanges: (readonly [start: number, end: number])[] = [];
  for (const [index, value] of values.entries()) {
    const start = result.length;
    result += encodedValue(value);
    valueRanges.push([start, result.length]);
    result += texts[index + 1] ?? "";
  }
  checkSegments(result, valueRanges);
  return result;
}

function encodedValue(value: unknown): string {
  const unstyled = value instanceof StyledValue ? value.value : value;
  if (unstyled === undefined || unstyled === null)
    throw new ToolError("A value of the path is missing.");
  try {
    return pathText(value);
  } catch {
    throw new ToolError("A value of the path is no well-formed text.");
  }
}

/** Checks the segments with values. @param valueRanges the start and end of each value in the path */
function checkSegments(result: string, valueRanges: readonly (readonly [number, number])[]): void {
  for (const [start, end] of valueRanges) {
    const segmentStart = result.lastIndexOf("/", start - 1) + 1;
    const slash = result.indexOf("/", end);
    const segment = result.slice(segmentStart, slash === -1 ? undefined : slash);
    if (segment === "") throw new ToolError("A value of the path is empty.");
    if (isDotSegment(segment)) {
      const value = printable(decodedOrUnchanged(result.slice(start, end)), MAX_SHOWN);
      throw new ToolError(`The value ${JSON.stringify(value)} leads to another path.`);
    }
  }
}

/** Whether a segment is or contains `.` or `..` for a server that decodes the path before it splits it. */
function isDotSegment(segment: string): boolean {
  let decoded = segment;
  // Some servers decode a path several times.
  for (let round = 0; round < 3; round++) {
    decoded = decodedOrUnchanged(decoded);
    if (decoded.split(/[/\\]/).some((part) => part === "." || part === "..")) return true;
  }
  return false;
}

/** A text without percent-encoding; the text itself where that is malformed. */
export function decodedOrUnchanged(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
