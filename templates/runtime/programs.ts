/** Programs that handlers run, as `ctx.programs`, without a shell. */
import { createBackends } from "./backends/backends.js";
import { createPrograms } from "./programs/programs.js";
import type { ServerPart } from "./server/server-part.js";

export type { ProgramAnswer } from "./programs/answer.js";
export type { ProgramOptions, Programs } from "./programs/programs.js";
export type { StandIn } from "./programs/programs.js";
export { testPrograms } from "./programs/test-programs.js";

/** Gives handlers `ctx.programs`. */
export function programs(): ServerPart {
  return () => ({ createBackends, createPrograms });
}
