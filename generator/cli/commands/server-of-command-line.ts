import type { ServerTarget } from "../../import/server/listed-server.js";
import { badOptionValue, tooFewArguments } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Place } from "../../model/place.js";
import type { CommandContext } from "../command.js";
import { placeOf } from "../options.js";

/** A server that a command line names with a URL, or with a command after `--`. */
export interface NamedServer {
  readonly target: ServerTarget;
  /** The place of diagnostics about the server. */
  readonly place: Place;
}

/** The problem of a command line that names no server. */
export interface ServerProblem {
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
): NamedServer | ServerProblem {
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
