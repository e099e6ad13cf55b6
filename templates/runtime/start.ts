/** Starts a server as a process. Importing this module redirects `console` to the log, since stdout may be the protocol's. */
import "./observe/console-to-log.js";

export { start } from "./start/start.js";
