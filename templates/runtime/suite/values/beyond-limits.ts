import type { ArgumentLimits, Json } from "../contract.js";

/** What a server looks at where the manifest says nothing. */
const USUAL: Required<ArgumentLimits> = { depth: 64, elements: 50_000 };

/** Whether arguments are more than a server looks at: the runtime's own rule, written a second time. */
export function isBeyondLimits(values: Json, limits: ArgumentLimits = {}): boolean {
  const { depth, elements } = { ...USUAL, ...limits };
  let found = 0;
  let level = [values];
  for (let levels = 0; ; levels++) {
    level = level.flatMap((one) => (typeof one === "object" && one ? Object.values(one) : []));
    if (level.length === 0) return false;
    found += level.length;
    if (levels === depth || found > elements) return true;
  }
}
