import { acceptForSdk } from "./accept.js";
import type { RequestHead } from "./request-head.js";

/** The request in the form of the SDK, without its body, which the SDK gets parsed. */
export function toFetchRequest(request: RequestHead, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const text of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, text);
  }
  const { method = "GET", url = "/" } = request;
  const accept = acceptForSdk(method, request.headers.accept);
  if (accept !== undefined) headers.set("accept", accept);
  return new Request(new URL(url, "http://localhost"), { method, headers, signal });
}
