import type { Authentication } from "../authentication/authentication.js";
import { anybody } from "../authentication/public-methods.js";
import { ToolError } from "../engine/errors.js";
import { sha256Of } from "./links.js";

/** The path of links below that of the endpoint. Each upstream has its own, so that no answer is taken for another's. */
export function linkPath(upstream: string): string {
  return `/connect/${upstream}`;
}

/** The caller as the owner of accounts. @throws ToolError if it is no person who is known by a principal */
export function holderOfCaller(upstream: string, caller: Authentication | undefined): string {
  const refused = (why: string): ToolError =>
    new ToolError(`The upstream ${upstream} is asked in the name of the caller, ${why}.`);
  if (caller === undefined || caller.principal === anybody.principal) {
    throw refused("who has shown no credentials over the network");
  }
  if (caller.via === "apiKey") throw refused("and an API key names no person");
  return sha256Of(caller.principal);
}

/** The key of an account in the store. */
export function keyOf(upstream: string, holder: string): string {
  return `${upstream}:${holder}`;
}
