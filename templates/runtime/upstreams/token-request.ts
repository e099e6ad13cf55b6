import { Masking } from "../backends/masking.js";
import { Cancellation } from "../engine/cancellation.js";
import type { ProveClient } from "./client-authentication.js";
import { exchange } from "./exchange.js";
import { failureOf, RequestFailure } from "./failures.js";
import { formText, isHeaderText, type Values } from "./parameters.js";
import type { UpstreamAgent } from "./upstream-agent.js";

/** How long before its expiry a token is used no longer, in milliseconds. */
const EXPIRY_MARGIN_MS = 30_000;

/** The lifetime of a token whose response does not have one, in milliseconds. */
const DEFAULT_LIFETIME_MS = 300_000;

const MAX_RESPONSE_BYTES = 65_536;

const FORM_HEADERS = {
  accept: "application/json",
  "content-type": "application/x-www-form-urlencoded",
};

/** The settings of the requests for tokens. */
export interface TokenSource {
  /** The name of the upstream. */
  readonly name: string;
  /** Shows the token endpoint which client asks. */
  readonly proveClient: ProveClient;
  readonly agent: UpstreamAgent;
  readonly masking: Masking;
  readonly timeoutMs: number;
}

/** The members of a token endpoint's answer; none if it is no JSON object. */
export type TokenAnswer = Readonly<Record<string, unknown>>;

/**
 * Sends a request to the token endpoint. Redirects are not followed.
 *
 * @param shown masks what the request shows of this server
 * @throws ToolError if there is no answer
 */
export async function requestToken(
  source: TokenSource,
  url: URL,
  grant: Values,
  shown: Masking = new Masking(),
): Promise<{ status: number; members: TokenAnswer }> {
  const { name, agent, timeoutMs } = source;
  const { origin, pathname, search } = url;
  const { headers: proof, fields } = await source.proveClient(shown);
  const headers = { ...FORM_HEADERS, ...proof };
  const body = formText({ ...grant, ...fields });
  const request = { method: "POST", origin, path: pathname + search, headers, body } as const;
  const limits = { timeoutMs, maxBytes: MAX_RESPONSE_BYTES, truncate: false };
  try {
    const answer = await exchange(agent, request, limits, new Cancellation(), name);
    return { status: answer.status, members: parseObject(answer.body.toString()) };
  } catch (error) {
    throw failureOf(name, error, timeoutMs, "token endpoint").error;
  }
}

/** The token of an answer, and the time of `Date.now()` from which it is not used; undefined if there is none. */
export function issuedToken({
  access_token: token,
  expires_in: seconds,
}: TokenAnswer): { readonly token: string; readonly usedUntil: number } | undefined {
  if (typeof token !== "string" || token === "" || !isHeaderText(token)) return undefined;
  const hasLifetime = typeof seconds === "number" && seconds > 0;
  const lifetimeMs = hasLifetime ? seconds * 1_000 : DEFAULT_LIFETIME_MS;
  return {
    token,
    usedUntil: Date.now() + Math.max(lifetimeMs - EXPIRY_MARGIN_MS, lifetimeMs / 2),
  };
}

/** The error of an upstream whose token endpoint gave no token. */
export function noToken(name: string, status: number): RequestFailure {
  return new RequestFailure(`The upstream ${name} gave no access token (${status}).`);
}

/** The members of a JSON object; none if the text is no JSON. */
function parseObject(text: string): TokenAnswer {
  try {
    return (JSON.parse(text) ?? {}) as TokenAnswer;
  } catch {
    return {};
  }
}
