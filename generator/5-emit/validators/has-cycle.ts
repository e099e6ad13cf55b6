/**
 * True if some function calls itself, directly or through others. Removes again and again the functions
 * that call nothing that is left; what cannot be removed is part of a cycle or leads to one.
 *
 * @param calls for each function, the functions that it calls
 */
export function hasCycle(calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const callers = new Map([...calls.keys()].map((key) => [key, [] as string[]]));
  const openCalls = new Map<string, number>();
  for (const [caller, called] of calls) {
    openCalls.set(caller, called.size);
    for (const key of called) callers.get(key)?.push(caller);
  }
  const removed = [...openCalls].filter(([, count]) => count === 0).map(([key]) => key);
  for (const key of removed) {
    for (const caller of callers.get(key) ?? []) {
      const count = (openCalls.get(caller) ?? 0) - 1;
      openCalls.set(caller, count);
      if (count === 0) removed.push(caller);
    }
  }
  return removed.length < calls.size;
}
