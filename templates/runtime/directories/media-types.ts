import { Mime } from "mime/lite";
import otherTypes from "mime/types/other.js";
import standardTypes from "mime/types/standard.js";

/** Types of source files that the registry of media types does not have, or has as video (`ts`). */
const SOURCE_TYPES = {
  "text/typescript": ["ts", "mts", "cts", "tsx"],
  "text/x-python": ["py"],
  "text/x-rust": ["rs"],
  "text/x-go": ["go"],
};

const types = new Mime(standardTypes, otherTypes).define(SOURCE_TYPES, true);

/** The MIME type for the extension of a file; undefined if the extension is unknown. */
export function mediaTypeOf(path: string): string | undefined {
  return types.getType(path) ?? undefined;
}
