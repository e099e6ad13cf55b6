/** The types of folders whose files handlers list and read, as `ctx.directories`. This needs the package `mime`. */
export type { Directories } from "./directories/directories.js";
export type { Directory, DirectoryOptions, ListedFile } from "./directories/directory.js";
