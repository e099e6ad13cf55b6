import type { Environment } from "../start/env.js";
import type { Logger } from "../observe/log.js";
import type { ServerOptions } from "../server/create-server.js";

/**
 * The environment variable with the keys that encrypt the state of calls that wait for answers. Commas separate
 * several keys. The first encrypts, all decrypt.
 */
const requestStateVariable = "REQUEST_STATE_KEY";
const minRequestStateKeyLength = 32;

/** Reads the keys of {@link requestStateVariable}, or returns the problem. An empty value counts as absent. */
export function readRequestStateKeys(environment: Readonly<Record<string, string | undefined>>): {
  readonly keys?: readonly string[];
  readonly problem?: string;
} {
  const text = environment[requestStateVariable];
  if (text === undefined || text === "") return {};
  const keys = text.split(",").map((key) => key.trim());
  if (keys.every((key) => key.length >= minRequestStateKeyLength)) return { keys };
  const problem = `${requestStateVariable} must have at least ${minRequestStateKeyLength} characters`;
  return { problem };
}

/**
 * Reads the keys of the process; undefined if they are wrong, which is logged. Without keys, the process makes one.
 * @param served The transports that it serves. Over HTTP, clients may answer another process. A process on stdio
 * has one client, whose questions end with the process.
 */
export function readAskingSettings(
  served: ReadonlySet<string>,
  log: Logger,
  environment: Environment,
): KeySettings | undefined {
  return readKeys(served, log, environment, "Answers to its questions");
}

/** Reads the keys of the process for cursors of pages, as {@link readAskingSettings} does for questions. */
export function readCursorSettings(
  served: ReadonlySet<string>,
  log: Logger,
  environment: Environment,
): KeySettings | undefined {
  return readKeys(served, log, environment, "Its cursors");
}

/** Reads the keys of the process for accounts of callers, as {@link readAskingSettings} does for questions. */
export function readAccountSettings(
  served: ReadonlySet<string>,
  log: Logger,
  environment: Environment,
): KeySettings | undefined {
  return readKeys(served, log, environment, "Answers to its questions and the accounts of callers");
}

type KeySettings = Pick<ServerOptions, "requestStateKeys">;

/** @param sealed what is lost without a key that lasts, for the log */
function readKeys(
  served: ReadonlySet<string>,
  log: Logger,
  environment: Environment,
  sealed: string,
): KeySettings | undefined {
  const { keys, problem } = readRequestStateKeys(environment);
  if (problem !== undefined) {
    log.error(problem);
    return undefined;
  }
  if (keys === undefined && served.has("http")) {
    log.warning(
      `${requestStateVariable} is not set: this process has made a key. ${sealed} are lost when it ends, and no other node can take them`,
    );
  }
  return { requestStateKeys: keys };
}
