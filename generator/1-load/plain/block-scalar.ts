import { LINE_FEED, SPACE, type Cursor } from "./cursor.js";
import { doubt } from "./doubt.js";

const HEADER = /[|>]-? *\n/y;

/**
 * Reads a literal or folded text; afterwards the cursor is at its last line feed.
 *
 * @param indent the column of the block around it
 */
export function readBlockScalar(cursor: Cursor, indent: number): string {
  const header = cursor.match(HEADER);
  const lines = readLines(cursor, indent);
  while (lines.at(-1) === "") lines.pop();
  const isFolded = header.startsWith(">");
  const text = isFolded ? fold(lines) : lines.join("\n");
  return header.startsWith("-", 1) ? text : `${text}\n`;
}

/** Its lines without what they are indented by. */
function readLines(cursor: Cursor, outer: number): string[] {
  const lines: string[] = [];
  let indent = -1;
  for (;;) {
    const lineStart = cursor.at;
    cursor.skipSpaces();
    const column = cursor.at - lineStart;
    const isBlank = cursor.code === LINE_FEED;
    if (isBlank) {
      if (indent === -1 && column > outer) doubt();
    } else if (cursor.isAtEnd || column <= outer) {
      if (indent === -1) doubt();
      // The line feed before it.
      cursor.at = lineStart - 1;
      return lines;
    } else if (indent === -1) indent = column;
    else if (column < indent) doubt();
    const { lineEnd } = cursor;
    if (lineEnd === cursor.text.length) doubt();
    lines.push(cursor.text.slice(Math.min(lineStart + Math.max(indent, 0), lineEnd), lineEnd));
    cursor.at = lineEnd + 1;
  }
}

/** Lines of a paragraph become one; what is indented further, or ends in a space, is left to the library. */
function fold(lines: readonly string[]): string {
  let text = "";
  let feeds = 0;
  for (const line of lines) {
    if (line.charCodeAt(0) === SPACE || line.endsWith(" ")) doubt();
    if (line === "") feeds += 1;
    else {
      text += (feeds > 0 ? "\n".repeat(feeds) : text === "" ? "" : " ") + line;
      feeds = 0;
    }
  }
  return text;
}
