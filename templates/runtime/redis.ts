/** What the replicas of a server share through Redis. It needs `@redis/client` and `rate-limiter-flexible`. */
import type { ScaleDefinition } from "./scale/definition.js";
import { shareChanges } from "./scale/shared-changes.js";
import { shareRates } from "./scale/shared-rates.js";
import type { ServerPart } from "./server/server-part.js";

export type { ScaleDefinition } from "./scale/definition.js";

/**
 * Shares events, switches or rates with the other replicas, through Redis. A process without the variable shares nothing; one
 * that cannot reach Redis at its start ends with a message.
 */
export function redis(scale: ScaleDefinition): ServerPart {
  const { share } = scale;
  return () => ({
    scale,
    joinReplicas: async () => (await import("./scale/replicas.js")).joinReplicas,
    ...(share.some((state) => state !== "rates") && { shareChanges }),
    ...(share.includes("rates") && { shareRates }),
  });
}
