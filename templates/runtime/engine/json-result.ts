import { InvalidResultError } from "./errors.js";

/**
 * The JSON of what code returned; `undefined` where JSON has no word for it.
 * @param what Whose it is, as errors name it: `Tool deploy`
 * @throws InvalidResultError for circular data, BigInt and the like, which would leave the caller without an answer
 */
export function resultJson(what: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const reason = error instanceof Error ? error.name : "unknown";
    throw new InvalidResultError(`${what} returned a result that is not JSON`, [reason]);
  }
}

/** How long what code returned is as JSON. @throws InvalidResultError as {@link resultJson} does */
export function resultLength(what: string, value: unknown): number {
  return resultJson(what, value)?.length ?? 0;
}
