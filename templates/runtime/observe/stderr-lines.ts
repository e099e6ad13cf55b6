/** Lines that were written in this turn of the event loop. */
let waiting = "";
let isWatchingExit = false;

/**
 * Writes a line to stderr, together with the others of this turn of the event loop: a write costs more than
 * most requests. Waiting lines are also written when the process ends.
 */
export function writeSoon(line: string): void {
  if (waiting === "") setImmediate(writeNow).unref();
  waiting += line;
  if (waiting.length > mostWaiting) writeNow();
  if (!isWatchingExit) process.on("exit", () => writeNow());
  isWatchingExit = true;
}

/** Writes a line to stderr, after those that wait. */
export function writeNow(line = ""): void {
  const lines = waiting + line;
  waiting = "";
  if (lines !== "") process.stderr.write(lines);
}

const mostWaiting = 65_536;
