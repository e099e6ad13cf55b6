import type { Logger } from "../observe/log.js";

/**
 * The runtime's own: the key that seals what clients keep for handlers that ask, or several with
 * commas between them; the first seals, all open.
 */
const requestStateVariable = "REQUEST_STATE_KEY";
const shortestRequestStateKey = 32;

/** The keys of {@link requestStateVariable}, or what is wrong with them. An empty value counts as absent. */
export function readRequestStateKeys(environment: Readonly<Record<string, string | undefined>>): {
  readonly keys?: readonly string[];
  readonly problem?: string;
} {
  const text = environment[requestStateVariable];
  if (text === undefined || text === "") return {};
  const keys = text.split(",").map((key) => key.trim());
  if (keys.every((key) => key.length >= shortestRequestStateKey)) return { keys };
  const problem = `${requestStateVariable} must have at least ${shortestRequestStateKey} characters`;
  return { problem };
}

/**
 * The keys of this process; undefined where one is to be made, null where they will not do. A process
 * on stdio has one client, and its questions end with it.
 * @param hasHttp Whether it serves HTTP, where clients may come back to another process.
 */
export function requestStateKeys(
  hasHttp: boolean,
  log: Logger,
): readonly string[] | undefined | null {
  const { keys, problem } = readRequestStateKeys(process.env);
  if (problem !== undefined) {
    log.error(problem);
    return null;
  }
  if (keys === undefined && hasHttp) {
    log.warning(
      `${requestStateVariable} is not set: this process has made a key. Answers to its questions are lost when it ends, and no other node can take them`,
    );
  }
  return keys;
}
