import {
  LISTING_LIMITS,
  type ListedServer,
  type ServerTarget,
} from "../../import/server/listed-server.js";
import { loadClient } from "../../import/server/load-client.js";
import { serverUnusable } from "../../model/catalogue/imports.js";
import type { CommandContext } from "../command.js";
import type { NamedServer, ServerProblem } from "./server-of-command-line.js";

/** Connects to the server and lists its items. */
export async function listNamedServer(
  { reporter }: CommandContext,
  { target, place }: NamedServer,
): Promise<{ readonly listed: ListedServer } | ServerProblem> {
  const name = target.kind === "url" ? new URL(target.url).origin : (target.command[0] ?? "");
  reporter.progress(`asking ${name} what it has`);
  const { listServer } = await loadClient();
  const answer = await listServer(target, LISTING_LIMITS);
  if ("listed" in answer) return answer;
  const { reason } = answer;
  return { problem: serverUnusable(place, { reason, needsToken: needsToken(target, reason) }) };
}

/** True if a server behind a URL answered with status 401, and no credentials were sent. */
function needsToken(target: ServerTarget, reason: string): boolean {
  return (
    target.kind === "url" &&
    !Object.keys(target.headers).some((name) => CREDENTIAL_HEADER.test(name)) &&
    HTTP_UNAUTHORIZED.test(reason)
  );
}

/** Headers that may have a token already. */
const CREDENTIAL_HEADER = /auth|token|key|cookie|secret/i;

/** What the client of the SDK says of status 401. */
const HTTP_UNAUTHORIZED = /\bHTTP 401\b/;
