import { createLog, logLevelFrom, redirectConsole } from "./log.js";

/**
 * The first import of `main.ts`: from here on `console.*` goes to the log, also while the project's
 * own modules load. On stdio, one stray `console.log` would break the protocol.
 */
redirectConsole(createLog({ level: logLevelFrom(process.env) }));
