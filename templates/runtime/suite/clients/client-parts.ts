import type { ClientParts } from "./http.js";
import { testTls } from "./tls.js";

/** The client parts of the project's transports. Each project has its own file with this name. */
export const clientParts: ClientParts = { tls: testTls };
