import type { RequestHead } from "../http/request-head.js";

/**
 * The head of a request of the web's own type; undefined if it has no URL, as where a runtime has joined several hosts. The
 * runtime has joined headers that were repeated; what must be there once is then no valid value of its header.
 * @param address The client's address; undefined if the runtime does not know it.
 */
export function headOf(
  { method, url, headers: received }: Request,
  address: string | undefined,
): RequestHead | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname, search } = new URL(url);
  const headers = { host, ...Object.fromEntries(received) };
  return {
    method,
    url: `${pathname}${search}`,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket: { remoteAddress: address },
  };
}

/** The answer to what is no request of HTTP. */
export function noRequest(): Response {
  const error = { code: -32600, message: "Invalid Request: no request of HTTP" };
  return Response.json({ jsonrpc: "2.0", error }, { status: 400 });
}
