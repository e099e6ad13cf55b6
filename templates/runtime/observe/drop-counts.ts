/** Dropped events are counted for this long before they are logged, in milliseconds. */
const PERIOD_MS = 10_000;

/**
 * Returns a function that counts dropped events, so that they do not flood the log. The first ones are logged at once.
 * The following ones within a period share one line, which is written when the period ends.
 */
export function countDrops(write: (dropped: number) => void): (count: number) => void {
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const writeCount = (): void => {
    timer = undefined;
    if (dropped === 0) return;
    write(dropped);
    dropped = 0;
    timer = setTimeout(writeCount, PERIOD_MS).unref();
  };
  return (count) => {
    dropped += count;
    if (timer === undefined) writeCount();
  };
}
