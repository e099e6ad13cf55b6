/** Cursors with which callers ask for further pages of an upstream's list: `expose` of a request's pages. */
import { readCursorSettings } from "./asking/request-state-keys.js";
import type { ServerPart } from "./server/server-part.js";

/** Reads the keys of the cursors. Without this, each process makes its own, whose cursors no other takes. */
export function pageCursors(): ServerPart {
  return ({ readSettings = readCursorSettings }) => ({ readSettings });
}
