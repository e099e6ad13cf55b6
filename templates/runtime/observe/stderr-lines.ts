/** Lines of this turn of the event loop that are not written yet. */
let waiting = "";
let isWatchingExit = false;

/**
 * Writes a line to stderr later, together with all lines of this turn of the event loop, since one write takes
 * longer than most requests. Waiting lines are also written when the process ends.
 */
export function writeSoon(line: string): void {
  if (waiting === "") setImmediate(writeNow).unref();
  waiting += line;
  if (waiting.length > mostWaiting) writeNow();
  if (!isWatchingExit) process.on("exit", () => writeNow());
  isWatchingExit = true;
}

/** Writes the waiting lines and then this line to stderr, at once. */
export function writeNow(line = ""): void {
  const lines = waiting + line;
  waiting = "";
  if (lines !== "") process.stderr.write(lines);
}

const mostWaiting = 65_536;
