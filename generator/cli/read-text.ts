import { readFileSync } from "node:fs";

/** The text of a UTF-8 file, or undefined if it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
