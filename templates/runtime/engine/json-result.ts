import { InvalidResultError } from "./errors.js";

/**
 * The JSON of a value that code returned; undefined if JSON cannot represent it.
 * @param what The item in error messages, such as `Tool deploy`.
 * @throws InvalidResultError if the value cannot be serialized, for instance since it is circular or a BigInt
 */
export function resultJson(what: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const reason = error instanceof Error ? error.name : "unknown";
    throw new InvalidResultError(`${what} returned a result that is not JSON`, [reason]);
  }
}

/** The length of a value as JSON. @throws InvalidResultError as {@link resultJson} does */
export function resultLength(what: string, value: unknown): number {
  return resultJson(what, value)?.length ?? 0;
}
