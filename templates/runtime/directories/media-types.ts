import { Mime } from "mime/lite";
import otherTypes from "mime/types/other.js";
import standardTypes from "mime/types/standard.js";

/** Sources that the registry of media types knows nothing of, or takes for films. */
const SOURCE_TYPES = {
  "text/typescript": ["ts", "mts", "cts", "tsx"],
  "text/x-python": ["py"],
  "text/x-rust": ["rs"],
  "text/x-go": ["go"],
};

const types = new Mime(standardTypes, otherTypes).define(SOURCE_TYPES, true);

/** The MIME type of a file by the extension of its name; undefined for one that is not known. */
export function mediaTypeOf(path: string): string | undefined {
  return types.getType(path) ?? undefined;
}
