import type { ClientParts } from "./http.js";
import { testTls } from "./tls.js";

/** A project has a file of this name with the parts that its transports need. */
export const clientParts: ClientParts = { tls: testTls };
