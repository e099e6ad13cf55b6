import {
  LISTING_LIMITS,
  type ListedServer,
  type ServerTarget,
} from "../../import/server/listed-server.js";
import { loadClient } from "../../import/server/load-client.js";
import type { Place } from "../../model/place.js";
import { badOptionValue, tooFewArguments } from "../../model/catalogue/command-line.js";
import { serverUnusable } from "../../model/catalogue/imports.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { placeOf } from "../options.js";
import type { CommandContext } from "../command.js";

/** A server that a command line names with a URL, or with a command after `--`. */
export interface NamedServer {
  readonly target: ServerTarget;
  /** The place of diagnostics about the server. */
  readonly place: Place;
}

interface Problem {
  readonly problem: Diagnostic;
}

/**
 * The server that a command line names.
 *
 * @param url the URL in the command line, if there is one
 */
export function serverOfCommandLine(
  { invocation, folder }: CommandContext,
  url: string | undefined,
): NamedServer | Problem {
  const { passedOn: command } = invocation;
  const place = placeOf(invocation, invocation.values.has("url") ? "url" : "argument");
  if ((url === undefined) === (command.length === 0)) {
    const expected = "one server: a URL, or a command behind --";
    return { problem: tooFewArguments(place, { command: invocation.command, expected }) };
  }
  if (url === undefined) return { target: { kind: "command", command, folder }, place };
  if (!isWebAddress(url)) {
    const wrong = { option: "--url", expected: "an http or https URL", found: url };
    return { problem: badOptionValue(place, wrong) };
  }
  const headers = (invocation.lists.get("header") ?? []).map(headerOf);
  return { target: { kind: "url", url, headers: Object.fromEntries(headers) }, place };
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** Connects to the server and lists its items. */
export async function listNamedServer(
  { reporter }: CommandContext,
  { target, place }: NamedServer,
): Promise<{ readonly listed: ListedServer } | Problem> {
  const name = target.kind === "url" ? new URL(target.url).origin : (target.command[0] ?? "");
  reporter.progress(`asking ${name} what it has`);
  const { listServer } = await loadClient();
  const answer = await listServer(target, LISTING_LIMITS);
  return "listed" in answer ? answer : { problem: serverUnusable(place, answer) };
}
