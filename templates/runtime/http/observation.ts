import { STATUS_CODES } from "node:http";
import { claimArrival } from "./request-data.js";
import { isRequest, type RequestObserver } from "../observe/request-observer.js";

/**
 * Observes a request that no server of the SDK answers, since it is refused or a subscription. Other requests
 * are observed where they are answered.
 * @param isOfSession Whether a session's transport answers.
 * @returns a function to call when the answer has been sent; undefined if the request is already reported
 */
export async function observeAnswer(
  observer: RequestObserver,
  request: Request,
  answer: Response,
  message: unknown,
  isOfSession: boolean,
): Promise<(() => void) | undefined> {
  const startedAt = claimArrival(request);
  // The server has observed its own answers, whatever their status.
  if (startedAt === undefined && !isOfSession) return undefined;
  if (answer.status >= 400) {
    const { status } = answer;
    const code = await errorCode(answer);
    observer.refuse("http", { status, reason: STATUS_CODES[status] ?? "Refused", code }, message);
    return undefined;
  }
  if (startedAt === undefined || !isRequest(message)) return undefined;
  const observation = observer.begin(message, "http", "modern", startedAt);
  const code = await errorCode(answer);
  return () => observation?.end(code === undefined ? "ok" : "error", code);
}

/** The code of the JSON-RPC error in an answer; undefined for other answers. */
async function errorCode(answer: Response): Promise<number | undefined> {
  if (!answer.headers.get("content-type")?.startsWith("application/json")) return undefined;
  const { error } = (await answer.clone().json()) as { readonly error?: { readonly code: number } };
  return error?.code;
}
