import type { ServerDefinition } from "../engine/definition.js";
import { MissingServicesError } from "../testing/test-context.js";
import { createDirectories, type Directories } from "./directories.js";

/**
 * `ctx.directories` of a handler's own test.
 *
 * @param folder what is read instead of every directory; without it, a handler that reads one fails
 */
export function testDirectories(
  definition: ServerDefinition,
  folder: string | undefined,
  signal = new AbortController().signal,
): Directories {
  if (folder === undefined) return MISSING;
  const directories = createDirectories(definition, { root: ".", directories: folder });
  return directories.bind({ signal }) as Directories;
}

/** Says what a test has to pass. */
class MissingDirectoryError extends MissingServicesError {
  constructor(root = "a directory") {
    super(`reads ${root}: pass the folder to read instead, createTestContext({ directories })`);
  }
}

const MISSING: Directories = {
  open: (root) => {
    throw new MissingDirectoryError(root);
  },
};
