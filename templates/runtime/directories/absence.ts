import { RefusedFileError } from "../resources/file.js";

/** What the system says of files that are not there, that must not be read, or that are no files. */
const ABSENT = [
  ...["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENXIO", "EISDIR", "ENAMETOOLONG"],
  ...["EINVAL", "ENODEV", "EOPNOTSUPP"],
];

/** Whether an error of the file system says that there is no file for clients. */
export function isAbsence(error: unknown): boolean {
  if (error instanceof RefusedFileError) return true;
  return ABSENT.includes(String((error as NodeJS.ErrnoException).code));
}
