import { ToolError } from "../engine/errors.js";
import { pathText, StyledValue } from "./styles.js";

/**
 * A path with values in it, each percent-encoded. A segment that holds a value may not come out empty, and
 * no value may lead to another folder.
 *
 * @throws ToolError for a value that is absent or would change which path it is
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  let whole = texts[0] ?? "";
  /** Where in the path values stand. */
  const filled: (readonly [start: number, end: number])[] = [];
  for (const [index, value] of values.entries()) {
    const start = whole.length;
    whole += encoded(value);
    filled.push([start, whole.length]);
    whole += texts[index + 1] ?? "";
  }
  checkSegments(whole, filled);
  return whole;
}

function encoded(value: unknown): string {
  const unstyled = value instanceof StyledValue ? value.value : value;
  if (unstyled === undefined || unstyled === null)
    throw new ToolError("A value of the path is missing.");
  try {
    return pathText(value);
  } catch {
    throw new ToolError("A value of the path is no well-formed text.");
  }
}

function checkSegments(whole: string, filled: readonly (readonly [number, number])[]): void {
  for (const [start, end] of filled) {
    const first = whole.lastIndexOf("/", start - 1) + 1;
    const next = whole.indexOf("/", end);
    const segment = whole.slice(first, next === -1 ? undefined : next);
    if (segment === "" || leadsElsewhere(segment)) {
      throw new ToolError("A value of the path is empty, or leads to another path.");
    }
  }
}

/** Whether a segment is `.` or `..`, or becomes that for a server that decodes it before it splits the path. */
function leadsElsewhere(segment: string): boolean {
  let decoded = segment;
  // Careless servers decode what they have decoded already.
  for (let round = 0; round < 3; round++) {
    decoded = decodedOrSame(decoded);
    if (decoded.split(/[/\\]/).some((part) => part === "." || part === "..")) return true;
  }
  return false;
}

function decodedOrSame(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
