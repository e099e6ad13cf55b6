/** Matches segments that mcpwright never uses. */
const FORBIDDEN_SEGMENT = /(?:^|\/)(?:\.git|node_modules|\.\.?|)(?:\/|$)/i;

// eslint-disable-next-line no-control-regex
const FORBIDDEN_CHARACTER = /[\u0000-\u001f\u007f\\:]/;

/**
 * True for a path that mcpwright may write: relative, with `/`, without `.` and `..`, and not in `.git` or
 * `node_modules`. Paths from locks and journals are checked with this function before use.
 */
export function isSafePath(path: string): boolean {
  return path.length <= 4096 && !FORBIDDEN_CHARACTER.test(path) && !FORBIDDEN_SEGMENT.test(path);
}

/** The folder of a relative path; empty for a file at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Every folder above a relative path, outermost first: `a`, `a/b` for `a/b/c.ts`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** Order of code units, the same in every locale. */
export function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
