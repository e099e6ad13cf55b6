/** Makes timers and intervals of these milliseconds fire almost at once. @returns a function that ends this */
export function hurryTimers(...times: readonly number[]): () => void {
  const { setTimeout: realTimeout, setInterval: realInterval } = globalThis;
  const hurried = (start: typeof setTimeout | typeof setInterval) =>
    Object.assign((callback: () => void, delayMs?: number, ...parameters: unknown[]) => {
      const ms = times.includes(delayMs ?? 0) ? 1 : delayMs;
      return (start as (...parameters: unknown[]) => unknown)(callback, ms, ...parameters);
    }, start);
  Object.assign(globalThis, {
    setTimeout: hurried(realTimeout),
    setInterval: hurried(realInterval),
  });
  return () => {
    Object.assign(globalThis, { setTimeout: realTimeout, setInterval: realInterval });
  };
}
