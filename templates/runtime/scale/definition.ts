import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { SharedBudget } from "../http/rate-limit.js";
import type { RedisConnection } from "./redis-connection.js";

declare module "../engine/definition.js" {
  interface ServerDefinition {
    /** What the replicas of this server share through Redis. */
    readonly scale?: ScaleDefinition;
  }

  interface RuntimeParts {
    /** Sends events and switches to the other replicas, and applies theirs. */
    readonly shareChanges?: (redis: RedisConnection, sharing: Sharing, controls: object) => void;
    /** Gives each client one request budget for all replicas together. */
    readonly shareRates?: (redis: RedisConnection, sharing: Sharing) => SharedBudget;
  }
}

/** The manifest's `scale`. */
export interface ScaleDefinition {
  /** The environment variable that holds the URL of Redis. */
  readonly redis: { readonly env: string };
  readonly share: readonly ("events" | "switches" | "rates")[];
}

/** What `shareChanges` and `shareRates` need to know of the server. */
export interface Sharing {
  readonly definition: ServerDefinition;
  readonly share: ScaleDefinition["share"];
  readonly log: Logger;
}
