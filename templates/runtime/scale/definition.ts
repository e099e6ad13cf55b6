import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { LiveState } from "../engine/parts.js";
import type { SharedBudget } from "../http/rate-limit.js";
import type { RedisConnection } from "./redis-connection.js";

declare module "../engine/definition.js" {
  interface ServerDefinition {
    /** What the processes of this server share through Redis. */
    readonly scale?: ScaleDefinition;
  }

  interface RuntimeParts {
    /** Shares events and switches with the other replicas. */
    readonly shareChanges?: (redis: RedisConnection, sharing: Sharing, live: LiveState) => void;
    /** Makes one budget of requests for each client over all replicas. */
    readonly shareRates?: (redis: RedisConnection, sharing: Sharing) => SharedBudget;
  }
}

/** The manifest's `scale`. */
export interface ScaleDefinition {
  /** The variable that holds the URL of Redis. */
  readonly redis: { readonly env: string };
  readonly share: readonly ("events" | "switches" | "rates")[];
}

/** What a part that is shared is made with. */
export interface Sharing {
  readonly definition: ServerDefinition;
  readonly share: ScaleDefinition["share"];
  readonly log: Logger;
}
