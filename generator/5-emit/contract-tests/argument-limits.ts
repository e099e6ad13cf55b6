import type { JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";

/** What a server looks at where the manifest says nothing. */
const USUAL = { depth: 64, elements: 50_000 };

/** Whether arguments are more than the server looks at: the runtime's own rule, written a second time to check it. */
export function isBeyondLimits(
  values: JsonValue,
  { limits }: Pick<ServerModel, "limits">,
): boolean {
  const { depth = USUAL.depth, elements = USUAL.elements } = limits ?? {};
  let found = 0;
  let level = [values];
  for (let levels = 0; ; levels++) {
    level = level.flatMap((one) => (typeof one === "object" && one ? Object.values(one) : []));
    if (level.length === 0) return false;
    found += level.length;
    if (levels === depth || found > elements) return true;
  }
}
