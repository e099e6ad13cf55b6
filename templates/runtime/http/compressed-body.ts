import { promisify } from "node:util";
import { gunzip, inflate, type InputType, type ZlibOptions } from "node:zlib";

type Decompress = (body: InputType, options: ZlibOptions) => Promise<Buffer>;

const encodings: Readonly<Record<string, Decompress>> = {
  gzip: promisify<InputType, ZlibOptions, Buffer>(gunzip),
  "x-gzip": promisify<InputType, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<InputType, ZlibOptions, Buffer>(inflate),
};

/**
 * The body without its encoding; undefined if it is longer than `maxBytes` then.
 * @throws Error if it does not have the encoding
 */
export async function decoded(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const decompress = encodings[(encoding ?? "").toLowerCase()];
  if (decompress === undefined) return body;
  try {
    return await decompress(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw error;
  }
}
