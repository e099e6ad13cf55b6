import { RefusedFileError } from "../resources/file.js";

/** Error codes of the system for paths that are absent, not readable, or not regular files. */
const ABSENCE_CODES = [
  ...["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENXIO", "EISDIR", "ENAMETOOLONG"],
  ...["EINVAL", "ENODEV", "EOPNOTSUPP"],
];

/** Whether an error of the file system means that clients see no file. */
export function isAbsence(error: unknown): boolean {
  if (error instanceof RefusedFileError) return true;
  return ABSENCE_CODES.includes(String((error as NodeJS.ErrnoException).code));
}
