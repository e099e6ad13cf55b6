import { runningProcesses } from "../7-apply/process-lock.js";

/** How a command waits for another run on the same folder: at most `patience` milliseconds. */
export const projectLock = { processes: runningProcesses, patience: 2_000 };
