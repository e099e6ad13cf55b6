/** The lines that have not been written yet. */
let pendingLines = "";
let isWatchingExit = false;
/** When lines were last written, by `performance.now()`. */
let lastWriteAt = -Infinity;

/** The least time between two writes, in milliseconds. */
const joinMs = 5;

/**
 * Writes a line to stderr at the end of the event loop's turn, or some milliseconds after the last write, together with
 * all other lines until then, since a write takes longer than most requests. Pending lines are also written when the
 * process ends.
 */
export function writeSoon(line: string): void {
  if (pendingLines === "") {
    const isRecent = performance.now() - lastWriteAt < joinMs;
    if (isRecent) setTimeout(writeNow, joinMs).unref();
    else setImmediate(writeNow).unref();
  }
  pendingLines += line;
  if (pendingLines.length > maxPendingLength) writeNow();
  if (!isWatchingExit) process.on("exit", () => writeNow());
  isWatchingExit = true;
}

/** Writes the pending lines and then this line to stderr, at once. */
export function writeNow(line = ""): void {
  const lines = pendingLines + line;
  pendingLines = "";
  if (lines === "") return;
  lastWriteAt = performance.now();
  process.stderr.write(lines);
}

/** Characters that may be pending before they are written at once. */
const maxPendingLength = 65_536;
