import { createLog, logLevelFrom, redirectConsole } from "./log.js";

/**
 * `main.ts` imports this module first, so that `console.*` already writes to the log while the project's
 * modules load. On stdio, a single `console.log` to stdout would break the protocol.
 */
redirectConsole(createLog({ level: logLevelFrom(process.env) }));
