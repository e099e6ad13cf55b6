/** The types of programs that handlers run, as `ctx.programs`, without a shell. */
export type { ProgramAnswer } from "./programs/answer.js";
export type { ProgramOptions, Programs } from "./programs/programs.js";
export type { StandIn } from "./programs/programs.js";
