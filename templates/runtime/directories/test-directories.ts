import type { ServerDefinition } from "../engine/definition.js";
import { MissingServicesError } from "../testing/test-context.js";
import { createDirectories, type Directories } from "./directories.js";

/**
 * Creates `ctx.directories` for the test of a handler.
 *
 * @param folder the folder that replaces every directory; without it, a handler that opens a directory fails with a
 *   `MissingServicesError`
 */
export function testDirectories(
  definition: ServerDefinition,
  folder: string | undefined,
  signal: AbortSignal = new AbortController().signal,
): Directories {
  if (folder === undefined) return MISSING;
  const directories = createDirectories(definition, { root: ".", directories: folder });
  return directories.bind({ signal }) as Directories;
}

/** Says which option the test must pass. */
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
