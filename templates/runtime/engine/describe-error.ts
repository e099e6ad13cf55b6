import { inspect } from "node:util";

/** Everything about a thrown value, as text. Anything can be thrown, so nothing about it is trusted. */
export function describeError(error: unknown): string {
  let text: string;
  try {
    text = inspect(error, { depth: 4, maxStringLength: 10_000 });
    // From version 26 on, Node.js describes an error whose members throw so.
    if (!text.startsWith("[object ")) return text;
  } catch (problem) {
    text = ["a value that cannot be inspected", ...memberInWords(problem, "message")].join(", ");
  }
  const members = ["name", "message", "code", "stack"].flatMap((key) => memberInWords(error, key));
  return [`${text}, of type ${typeof error}`, ...members].join("; ");
}

/** A member of a value as `name: value`; empty where there is no such member. */
function memberInWords(value: unknown, key: string): string[] {
  try {
    const member: unknown = Reflect.get(Object(value) as object, key);
    return member === undefined ? [] : [`${key}: ${String(member).slice(0, 10_000)}`];
  } catch {
    return [`${key}: unreadable`];
  }
}

/**
 * A thrown value on which `instanceof` is safe: a proxy, which may throw, is replaced by an error that
 * describes it.
 */
export function askable(error: unknown): unknown {
  try {
    void (error instanceof Error);
    return error;
  } catch {
    return new Error(describeError(error));
  }
}
