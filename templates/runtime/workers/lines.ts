import type { Readable } from "node:stream";

/** The longest line that is kept back until its end, in characters. */
const maxLineLength = 1_048_576;

/**
 * Passes on what a worker writes, line by line: parts of lines of several processes would mix. A line without an end is
 * passed on when the stream ends.
 */
export function passLines(stream: Readable, write: (lines: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const end = text.lastIndexOf("\n") + 1;
    if (end === 0 && rest.length + text.length <= maxLineLength) {
      rest += text;
      return;
    }
    write(rest + text.slice(0, end === 0 ? text.length : end));
    rest = end === 0 ? "" : text.slice(end);
  });
  stream.once("end", () => {
    if (rest !== "") write(`${rest}\n`);
  });
}
