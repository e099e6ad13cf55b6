/** Types of source files that the registry of media types does not have, or has as video (`ts`). */
const SOURCE_TYPES = {
  "text/typescript": ["ts", "mts", "cts", "tsx"],
  "text/x-python": ["py"],
  "text/x-rust": ["rs"],
  "text/x-go": ["go"],
};

/** Returns the MIME type for the extension of a file; undefined if the extension is unknown. */
type MediaTypeOf = (path: string) => string | undefined;

let loading: Promise<MediaTypeOf> | undefined;

/** Loads the types of all extensions. @throws Error if the project does not have the package `mime` */
export function loadMediaTypes(): Promise<MediaTypeOf> {
  return (loading ??= load());
}

async function load(): Promise<MediaTypeOf> {
  // A bundler leaves imports out that stand in such a block and are not there.
  try {
    const { Mime } = await import("mime/lite");
    const { default: standard } = await import("mime/types/standard.js");
    const { default: other } = await import("mime/types/other.js");
    const types = new Mime(standard, other).define(SOURCE_TYPES, true);
    return (path) => types.getType(path) ?? undefined;
  } catch (error) {
    const message = "`ctx.directories` needs a package: npm install --save-dev mime";
    throw new Error(message, { cause: error });
  }
}
