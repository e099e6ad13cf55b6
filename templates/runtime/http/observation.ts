import { STATUS_CODES } from "node:http";
import { claimArrival } from "./exchanges.js";
import { isRequest, type RequestObserver } from "../observe/request-observer.js";

/**
 * Observes a request that has not come to a server: one that the SDK refuses before, or a
 * subscription, which it keeps itself. Others are observed where they are answered.
 * @param isOfSession Whether the answer is that of a session's transport.
 * @returns what to call when the answer has been sent; undefined where there is nothing more to say
 */
export async function observeAnswer(
  observer: RequestObserver,
  request: Request,
  answer: Response,
  message: unknown,
  isOfSession: boolean,
): Promise<(() => void) | undefined> {
  const since = claimArrival(request);
  // What a server answers it has observed itself, whatever the status.
  if (since === undefined && !isOfSession) return undefined;
  if (answer.status >= 400) {
    const { status } = answer;
    const code = await errorCode(answer);
    observer.refuse("http", { status, reason: STATUS_CODES[status] ?? "Refused", code }, message);
    return undefined;
  }
  if (since === undefined || !isRequest(message)) return undefined;
  const observation = observer.begin(message, "http", "modern", since);
  const code = await errorCode(answer);
  return () => observation?.end(code === undefined ? "ok" : "error", code);
}

/** The code of the JSON-RPC error in an answer; undefined where it is none. */
async function errorCode(answer: Response): Promise<number | undefined> {
  if (!answer.headers.get("content-type")?.startsWith("application/json")) return undefined;
  const { error } = (await answer.clone().json()) as { readonly error?: { readonly code: number } };
  return error?.code;
}
