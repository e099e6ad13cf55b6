import type { RequestRetries } from "./definition.js";
import type { UpstreamAnswer } from "./answer.js";
import type { Pages } from "./pages.js";
import type { Values } from "./parameters.js";

/** The parts of a request other than its method and its path. At most one of `json`, `form`, `multipart`, `text` and `bytes`. */
export interface UpstreamRequest {
  /** The parameters of the query. */
  readonly query?: Values;
  /** Headers beside those of the upstream's settings. */
  readonly headers?: Values;
  /** Cookies. */
  readonly cookies?: Values;
  /** A body of JSON. */
  readonly json?: unknown;
  /** The fields of a form that is sent as `application/x-www-form-urlencoded`. */
  readonly form?: Values;
  /** The fields of a form that is sent as `multipart/form-data`. A `File` or a `Blob` becomes a part with its bytes. */
  readonly multipart?: Values;
  /** A body of plain text. Other values than texts are written as JSON. */
  readonly text?: unknown;
  /** A body of bytes. Its type is `application/octet-stream`, unless `headers` have a `Content-Type`. */
  readonly bytes?: Uint8Array;
  /** The maximum length of the answer, in bytes; 1 MiB by default. */
  readonly maxBytes?: number;
  /**
   * Whether a longer answer is cut; otherwise it is an error. A request that may have changed something (POST, PUT, PATCH,
   * DELETE) does not fail for that: models see its answer cut, and only code that reads the answer gets the error. The same
   * holds for a successful answer that breaks off.
   */
  readonly truncate?: boolean;
  /** When the request is sent again, instead of what the upstream's settings say for its method. */
  readonly retries?: RequestRetries;
  /** How to get all pages of a list; the answer has the items of all pages. */
  readonly pages?: Pages;
}

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/**
 * A service that handlers call, with the manifest's settings. A request is stopped if its call is cancelled. The
 * methods throw a ToolError if no answer comes; an answer with an error status does not make them throw.
 */
export interface Upstream {
  /** @param path the encoded path from the base URL; use the function `path` to put values into it */
  request(method: Method, path: string, request?: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Sends a GET request; the path is as in {@link request}. */
  get(path: string, request?: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Sends a HEAD request; the path is as in {@link request}. */
  head(path: string, request?: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Sends a POST request; the path is as in {@link request}. */
  post(path: string, request?: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Sends a PUT request; the path is as in {@link request}. */
  put(path: string, request?: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Sends a PATCH request; the path is as in {@link request}. */
  patch(path: string, request?: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Sends a DELETE request; the path is as in {@link request}. */
  delete(path: string, request?: UpstreamRequest): Promise<UpstreamAnswer>;
}
