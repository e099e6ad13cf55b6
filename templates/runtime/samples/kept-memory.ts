import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const CALLS = 1_000;

/**
 * Says how much of a call outlives the collection of young objects, which is what the heap grows by until V8 collects old
 * objects, too.
 *
 * @param call makes the objects of one call, with a number of its own
 * @returns bytes a call
 */
export function keptMemory(call: (id: number) => void): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { readonly type: "minor" }) => void;
  const heapAfterCalls = (): number => {
    for (let id = 0; id < CALLS; id++) call(id);
    // What survives one collection is still young.
    for (let round = 0; round < 3; round++) collect({ type: "minor" });
    return process.memoryUsage().heapUsed;
  };
  const before = heapAfterCalls();
  return (heapAfterCalls() - before) / CALLS;
}
