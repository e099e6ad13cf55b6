import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Limits } from "../engine/limits.js";

/** The manifest's `scale`. */
export interface ScaleDefinition {
  /** The environment variable that holds the URL of Redis. */
  readonly redis: { readonly env: string };
  /** What is shared: events, switches of items, or how many requests each client has sent. */
  readonly share: readonly ("events" | "switches" | "rates")[];
}

/** What `shareChanges` and `shareRates` need to know of the server. */
export interface Sharing {
  readonly definition: ServerDefinition;
  readonly share: ScaleDefinition["share"];
  readonly limits: Limits;
  readonly log: Logger;
}
