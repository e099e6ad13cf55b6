import type { Logger } from "../observe/log.js";
import { RequestFailure, type Failure } from "./failures.js";
import { REDIRECTS, type IncomingAnswer } from "./messages.js";
import type { Method } from "./upstream.js";

/** What became of a request in the end. */
export type Outcome = { readonly answer: IncomingAnswer } | Failure;

/** A request, as the log has it: nothing of its path, its parameters and its body. */
export interface LoggedRequest {
  readonly upstream: string;
  readonly method: Method;
  /** How often it was repeated. */
  readonly retries: number;
}

/** The statuses under 500 that are no fault of a call's arguments: of credentials, of the load and of the way there. */
const FAILED_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);

/**
 * Warns the server's operators of a request that failed: the upstream gave no answer, or one whose status is no fault of
 * the call's arguments.
 */
export function logOutcome(
  log: Pick<Logger, "warning"> | undefined,
  request: LoggedRequest,
  outcome: Outcome,
): void {
  if ("answer" in outcome) {
    const { status, headers } = outcome.answer;
    // A redirect that was not followed, such as one to a page where people sign in.
    const leadsTo = REDIRECTS.has(status) ? originOf(headers["location"]) : undefined;
    if (status < 500 && !FAILED_STATUSES.has(status) && !REDIRECTS.has(status)) return;
    warn(log, request, { status, ...(leadsTo !== undefined && { leadsTo }) });
  } else if (outcome.error instanceof RequestFailure) {
    const { error, code } = outcome;
    warn(log, request, { problem: error.message, ...(code !== undefined && { code }) });
  }
}

/** Warns of a request that had no answer when its call was over. @param reason why the call was ended */
export function logUnanswered(
  log: Pick<Logger, "warning"> | undefined,
  request: LoggedRequest,
  reason: Error,
): void {
  warn(log, request, { problem: reason.message });
}

function warn(
  log: Pick<Logger, "warning"> | undefined,
  { retries, ...request }: LoggedRequest,
  fields: Readonly<Record<string, unknown>>,
): void {
  log?.warning("a request to an upstream failed", {
    ...request,
    ...fields,
    ...(retries > 0 && { retries }),
  });
}

/** The origin of an absolute URL, without its path, which may have secrets; undefined if it is none. */
function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}
