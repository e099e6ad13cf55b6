import { diskError } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";

/** An error of the operating system, as `node:fs` throws it. */
export interface DiskError extends Error {
  /** `ENOSPC`, `EACCES`, … */
  readonly code: string;
  readonly syscall?: string;
  readonly path?: string;
  /** Why, where the code does not say enough. */
  readonly reason?: string;
}

/** True for errors of the operating system. */
export function isDiskError(error: unknown): error is DiskError {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^E[A-Z0-9]+$/.test(error.code)
  );
}

/**
 * The diagnostic of an error of the operating system.
 *
 * @param root absolute path of the output folder
 * @param pending true if the run could not be undone, so that the next run has to complete it
 */
export function diskFailure(root: string, error: DiskError, pending = false): Diagnostic {
  const path = error.path ?? root;
  const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const action = `${error.syscall ?? "access"} ${inside}`;
  const errno = error.reason === undefined ? error.code : `${error.code} (${error.reason})`;
  return diskError(wholeFile(inside), { action, errno, pending });
}

/**
 * Runs `work`, and returns the result of `onFailure` for an error of the operating system. Any other error is a bug
 * and is thrown.
 */
export function catchingDiskErrors<Result>(
  work: () => Result,
  onFailure: (error: DiskError) => Result,
): Result {
  try {
    return work();
  } catch (error) {
    if (!isDiskError(error)) throw error;
    return onFailure(error);
  }
}

/** Runs `work`, and returns the error of the operating system if there is one. */
export function diskErrorOf(work: () => void): DiskError | undefined {
  return catchingDiskErrors<DiskError | undefined>(
    () => {
      work();
      return undefined;
    },
    (error) => error,
  );
}
