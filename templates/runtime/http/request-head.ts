/** Headers by their names in lower case. */
export interface RequestHeaders {
  readonly accept?: string | undefined;
  readonly authorization?: string | undefined;
  readonly "content-encoding"?: string | undefined;
  readonly "content-type"?: string | undefined;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly [name: string]: string | string[] | undefined;
}

/**
 * What is known of a request before its body is read. A request of Node.js is one as it is; who gets requests from
 * another runtime makes one.
 */
export interface RequestHead {
  readonly method?: string | undefined;
  /** The path and the query, as they arrived. */
  readonly url?: string | undefined;
  readonly headers: RequestHeaders;
  /** The names and values of the headers as they arrived, in turn. */
  readonly rawHeaders: readonly string[];
  /** The connection, with the address of its other end. */
  readonly socket: { readonly remoteAddress?: string | undefined };
}
