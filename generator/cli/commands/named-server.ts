import { LISTING_LIMITS, type ListedServer } from "../../import/server/listed-server.js";
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
  return "listed" in answer ? answer : { problem: serverUnusable(place, answer) };
}
