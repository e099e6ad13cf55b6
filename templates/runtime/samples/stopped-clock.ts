/** Runs a test with a stopped `performance.now`, which `advance` moves forward by milliseconds. */
export async function withStoppedClock(
  body: (advance: (ms: number) => void) => Promise<void>,
): Promise<void> {
  const { now } = performance;
  let time = now.call(performance);
  performance.now = () => time;
  try {
    await body((ms) => (time += ms));
  } finally {
    performance.now = now;
  }
}

/** Runs a test with a `performance.now` that moves forward by some milliseconds whenever it is read. */
export async function withTickingClock(ms: number, body: () => Promise<void>): Promise<void> {
  const { now } = performance;
  let time = now.call(performance);
  performance.now = () => (time += ms);
  try {
    await body();
  } finally {
    performance.now = now;
  }
}
