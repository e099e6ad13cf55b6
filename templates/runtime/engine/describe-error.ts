import { inspect } from "node:util";

/** Everything about a thrown value, as text. Anything can be thrown, so nothing about it is trusted. */
export function describeError(error: unknown): string {
  let text: string;
  try {
    text = inspect(error, { depth: 4, maxStringLength: 10_000 });
    // What Node.js says of an error whose members throw, from version 26 on.
    if (!text.startsWith("[object ")) return text;
  } catch (problem) {
    text = ["a value that cannot be inspected", ...memberInWords(problem, "message")].join(", ");
  }
  const members = ["name", "message", "code", "stack"].flatMap((key) => memberInWords(error, key));
  return [`${text}, of type ${typeof error}`, ...members].join("; ");
}

/** A member of a value with its name; none where there is no such member. */
function memberInWords(value: unknown, key: string): string[] {
  try {
    const member: unknown = Reflect.get(Object(value) as object, key);
    return member === undefined ? [] : [`${key}: ${String(member).slice(0, 10_000)}`];
  } catch {
    return [`${key}: unreadable`];
  }
}

/** A thrown value that can be asked for its class: a proxy may throw when it is asked, and is described by an error. */
export function askable(error: unknown): unknown {
  try {
    void (error instanceof Error);
    return error;
  } catch {
    return new Error(describeError(error));
  }
}
