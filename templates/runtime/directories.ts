/** Folders whose files handlers list and read, as `ctx.directories`. It needs the package `mime`. */
import { createBackends } from "./backends/backends.js";
import { createDirectories } from "./directories/directories.js";
import type { ServerPart } from "./server/server-part.js";

export type { Directories } from "./directories/directories.js";
export type { Directory, DirectoryOptions, ListedFile } from "./directories/directory.js";
export { testDirectories } from "./directories/test-directories.js";

/** Gives handlers `ctx.directories`. */
export function directories(): ServerPart {
  return () => ({ createBackends, createDirectories });
}
